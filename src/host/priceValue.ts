import type { ModelPrice } from '../runtime/domain/models.ts';
import { isRecord } from './records.ts';
import { isAmount } from './settingValue.ts';

/** A price as settings have it; nothing for what is none. */
export function readPrice(value: unknown): ModelPrice | undefined {
  if (!isRecord(value)) return undefined;
  const { input, output, cacheRead, cacheWrite } = value;
  if (!isAmount(input) || !isAmount(output)) return undefined;
  if (cacheRead !== undefined && !isAmount(cacheRead)) return undefined;
  if (cacheWrite !== undefined && !isAmount(cacheWrite)) return undefined;
  return { input, output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) };
}
