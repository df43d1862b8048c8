import { isObject } from './agent/capabilityChecks.ts';
import type { ServiceOptions } from './domain/services.ts';

/** What each service must be. */
const SHAPES: Readonly<Record<keyof ServiceOptions, { readonly words: string; readonly fits: (service: unknown) => boolean }>> = {
  askUser: { words: 'a function, or `\'approvals\'`', fits: (service) => service === 'approvals' || isFunction(service) },
  config: { words: 'an object with `get`', fits: (service) => hasMethods(service, ['get']) },
  webFetch: { words: 'a function', fits: isFunction },
  webSearch: { words: 'a function', fits: isFunction },
  cron: { words: 'an object with `create`, `list`, `remove` and `listen`', fits: (service) => hasMethods(service, ['create', 'list', 'remove', 'listen']) },
};

/** What is wrong with the services that are given, a sentence each. */
export function serviceProblems(options: ServiceOptions): readonly string[] {
  return (Object.keys(SHAPES) as (keyof ServiceOptions)[])
    .filter((name) => options[name] !== undefined && !SHAPES[name].fits(options[name]))
    .map((name) => `\`${name}\` must be ${SHAPES[name].words}.`);
}

function hasMethods(service: unknown, names: readonly string[]): boolean {
  return isObject(service) && names.every((name) => isFunction(service[name]));
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
