import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv';
import { errorText, isAppError } from '../base/errors.ts';
import { withinTimeLimit } from '../base/interruptible.ts';
import type { JsonSchema } from '../domain/tools.ts';
import { describeErrors, firstErrors } from './schemaMessage.ts';

export type Validation = { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string };

type Draft = '2020' | '7';

interface Compiler {
  compile(schema: AnySchemaObject): ValidateFunction;
}

interface Dialect {
  /** Throws for what is no schema of the draft. */
  readonly check: (schema: AnySchemaObject) => void;
  /** A compiler for one schema alone: what a schema calls itself must mean nothing to any other. */
  readonly compilerFor: (schema: AnySchemaObject) => Compiler;
}

/** `ownProperties`: a required field named like a method of every object is missing unless it was given. */
const OPTIONS = { allErrors: true, verbose: true, strict: false, validateFormats: false, ownProperties: true, logger: false } as const;
/** Of a schema that refers to the schema of schemas. Only such a one needs it, and so can't also be called like it. */
const REFERS_TO_META = /"\$(?:dynamicRef|ref)":"https?:\/\/json-schema\.org\//;

const validators = new WeakMap<JsonSchema, Promise<ValidateFunction>>();
const dialects = new Map<Draft, Promise<Dialect>>();

/**
 * Turns the arguments of a tool call into its input.
 * @param schema the tool's schema, draft 2020-12 or 7; compiled once for each schema object.
 * @param argumentsText JSON as the model wrote it; nothing counts as `{}`.
 * @returns the input, frozen to its depths, or what the model must correct. Never rejects.
 */
export async function validateInput(schema: JsonSchema, argumentsText: string): Promise<Validation> {
  const parsed = parse(argumentsText);
  if (!parsed.ok) return parsed;
  let validate: ValidateFunction;
  try {
    validate = await validatorOf(schema);
  } catch (error) {
    return { ok: false, message: `this tool's own schema is broken, so that it can't be called (${errorText(error)}). Go on without it.` };
  }
  try {
    const message = verdict(validate, parsed.input, (errors) => describeErrors(errors, schema));
    return message === undefined ? parsed : { ok: false, message };
  } catch (error) {
    return { ok: false, message: `the arguments can't be checked (${errorText(error)}). Send flatter and smaller ones.` };
  }
}

/** Why a schema can't be used, in the compiler's words; nothing where it can. Never rejects. */
export async function schemaProblem(schema: JsonSchema): Promise<string | undefined> {
  try {
    await validatorOf(schema);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/**
 * What is wrong with a value, the first things of it in a sentence.
 * @param schema of any type, draft 2020-12 or 7; compiled once for each schema object.
 * @param value parsed JSON.
 * @param whole what to call the value itself, such as `the answer`.
 * @returns nothing where it matches. Rejects for a schema that has a `schemaProblem`.
 */
export async function valueProblem(schema: JsonSchema, value: unknown, whole: string): Promise<string | undefined> {
  const validate = await validatorOf(schema);
  try {
    return verdict(validate, value, (errors) => firstErrors(errors, whole));
  } catch (error) {
    return `${whole} can't be checked (${errorText(error)}).`;
  }
}

/** What the errors of a value come to; nothing where it has none. Throws for one that is too deep, since the checks are recursive, or takes too long. */
function verdict(validate: ValidateFunction, value: unknown, describe: (errors: readonly ErrorObject[]) => string): string | undefined {
  return withinTimeLimit(() => {
    const valid: unknown = validate(value);
    return valid === true ? undefined : describe(validate.errors ?? []);
  });
}

function parse(text: string): Validation {
  let input: unknown;
  try {
    input = text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `the arguments are not valid JSON (${errorText(error)}). Send one complete JSON object.` };
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { ok: false, message: 'the arguments must be one JSON object.' };
  if (!freezeAll(input)) return { ok: false, message: 'no field may be named "__proto__".' };
  return { ok: true, input };
}

/** Freezes every object of parsed JSON, without recursion, so that its depth can't matter. False: one has a key `__proto__`. */
function freezeAll(input: object): boolean {
  const waiting: object[] = [input];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (Object.hasOwn(item, '__proto__')) return false;
    for (const value of Object.values(item) as unknown[]) {
      if (typeof value === 'object' && value !== null) waiting.push(value);
    }
    Object.freeze(item);
  }
  return true;
}

function validatorOf(schema: JsonSchema): Promise<ValidateFunction> {
  const known = validators.get(schema);
  if (known) return known;
  const compiling = compile(schema);
  validators.set(schema, compiling);
  return compiling;
}

async function compile(schema: JsonSchema): Promise<ValidateFunction> {
  const { $schema, ...rest } = schema;
  const old = typeof $schema === 'string' && /draft-0?[4-7]/.test($schema);
  try {
    return compileAs(await dialectOf(old ? '7' : '2020'), rest);
  } catch (error) {
    if (old || isAppError(error, 'timeout')) throw error;
    return compileAs(await dialectOf('7'), rest, error);
  }
}

/** @param earlier why it is no schema of another draft. Many servers send draft 7 without saying so; the first error is the one worth telling. */
function compileAs({ check, compilerFor }: Dialect, schema: AnySchemaObject, earlier?: unknown): ValidateFunction {
  try {
    const validate = withinTimeLimit(() => {
      check(schema);
      return compilerFor(schema).compile(schema);
    });
    // Its verdict would be a promise, which nobody waits for.
    if ('$async' in validate) throw new Error('a schema with `$async` is not supported');
    return validate;
  } catch (error) {
    throw earlier ?? error;
  }
}

function dialectOf(draft: Draft): Promise<Dialect> {
  const known = dialects.get(draft);
  if (known) return known;
  const loading = loadDialect(draft);
  dialects.set(draft, loading);
  return loading;
}

async function loadDialect(draft: Draft): Promise<Dialect> {
  const Ajv = draft === '7' ? (await import('ajv')).default.Ajv : (await import('ajv/dist/2020.js')).default.Ajv2020;
  const checker = new Ajv(OPTIONS);
  const check = (schema: AnySchemaObject): void => void checker.validateSchema(schema, true);
  // Makes ready what checks, outside of any time limit.
  check({});
  return { check, compilerFor: (schema) => new Ajv({ ...OPTIONS, validateSchema: false, meta: REFERS_TO_META.test(JSON.stringify(schema)) }) };
}
