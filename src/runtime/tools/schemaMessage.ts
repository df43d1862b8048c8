import type { ErrorObject } from 'ajv';
import { truncate } from '../base/text.ts';
import type { JsonSchema } from '../domain/tools.ts';

const MAX_ERRORS = 5;
/** Of a list with a million wrong items each is an error of its own. */
const MAX_LOOKED_AT = 100;

/** What a model must correct, and which fields there are. */
export function describeErrors(errors: readonly ErrorObject[], schema: JsonSchema): string {
  return `${firstErrors(errors, 'the input')}${describeFields(schema)} Correct the arguments and call the tool again.`;
}

/** The first things that are wrong, as a sentence. `whole`: what to call the value itself. */
export function firstErrors(errors: readonly ErrorObject[], whole: string): string {
  const sentences = [...new Set(errors.slice(0, MAX_LOOKED_AT).map((error) => describe(error, whole)))];
  const more = sentences.length > MAX_ERRORS ? ` (and ${errors.length > MAX_LOOKED_AT ? 'many' : sentences.length - MAX_ERRORS} more)` : '';
  return `${sentences.slice(0, MAX_ERRORS).join('; ')}${more}.`;
}

function describe(error: ErrorObject, whole: string): string {
  const params = error.params as Readonly<Record<string, unknown>>;
  const field = error.instancePath === '' ? whole : `field "${pointed(error.instancePath)}"`;
  switch (error.keyword) {
    case 'required':
      return `field "${pointed(`${error.instancePath}/${String(params['missingProperty'])}`)}" is missing`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `field "${pointed(`${error.instancePath}/${String(params['additionalProperty'] ?? params['unevaluatedProperty'])}`)}" is unknown`;
    case 'enum':
      return `${field} must be one of ${json(params['allowedValues'])}, not ${json(error.data)}`;
    case 'const':
      return `${field} must be ${json(params['allowedValue'])}, not ${json(error.data)}`;
    case 'minLength':
      return params['limit'] === 1 ? `${field} must not be empty` : `${field} ${error.message ?? 'is too short'}`;
    case 'type':
    case 'minimum':
    case 'maximum':
    case 'pattern':
      return `${field} ${error.message ?? 'is invalid'}, not ${json(error.data)}`;
    default:
      return `${field} ${error.message ?? 'is invalid'}`;
  }
}

function describeFields(schema: JsonSchema): string {
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return '';
  const required: unknown = schema['required'];
  const fields = Object.entries(properties as Readonly<Record<string, unknown>>).map(([name, field]) => {
    const type = typeof field === 'object' && field !== null && 'type' in field && typeof field.type === 'string' ? field.type : 'any';
    return `${name} (${type}${Array.isArray(required) && required.includes(name) ? ', required' : ''})`;
  });
  return fields.length === 0 ? ' It takes no fields.' : ` Fields: ${fields.join(', ')}.`;
}

/** A JSON pointer as a path with dots. */
function pointed(pointer: string): string {
  return pointer.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function json(value: unknown): string {
  return truncate(JSON.stringify(value) ?? 'nothing', 200);
}
