import type { AnySchemaObject, ValidateFunction } from 'ajv';
import { errorText } from '../base/errors.ts';
import type { JsonSchema } from '../domain/tools.ts';
import { describeErrors, firstErrors } from './schemaMessage.ts';

export type Validation = { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string };

interface Compiler {
  compile(schema: AnySchemaObject): ValidateFunction;
  removeSchema(schema: AnySchemaObject): unknown;
}

/** `ownProperties`: a required field named like a method of every object is missing unless it was given. */
const OPTIONS = { allErrors: true, verbose: true, strict: false, validateFormats: false, ownProperties: true, addUsedSchema: false, logger: false } as const;

const validators = new WeakMap<JsonSchema, Promise<ValidateFunction>>();
const compilers = new Map<'2020' | '7', Promise<Compiler>>();

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
    const valid: unknown = validate(parsed.input);
    if (valid === true) return parsed;
    return { ok: false, message: describeErrors(validate.errors ?? [], schema) };
  } catch (error) {
    // Both work recursively, so that a very deep input overflows the stack.
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
    const valid: unknown = validate(value);
    return valid === true ? undefined : firstErrors(validate.errors ?? [], whole);
  } catch (error) {
    return `${whole} can't be checked (${errorText(error)}).`;
  }
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
    return compileWith(await compilerOf(old ? '7' : '2020'), rest);
  } catch (error) {
    // Many servers send draft 7 without saying so; the first error is the one worth telling.
    if (old) throw error;
    return compileWith(await compilerOf('7'), rest, error);
  }
}

function compileWith(compiler: Compiler, schema: AnySchemaObject, earlier?: unknown): ValidateFunction {
  try {
    const validate = compiler.compile(schema);
    // Its verdict would be a promise, which nobody waits for.
    if ('$async' in validate) throw new Error('a schema with `$async` is not supported');
    return validate;
  } catch (error) {
    throw earlier ?? error;
  } finally {
    // The compiler would keep every schema it has ever seen.
    compiler.removeSchema(schema);
  }
}

function compilerOf(draft: '2020' | '7'): Promise<Compiler> {
  const known = compilers.get(draft);
  if (known) return known;
  const loading = loadCompiler(draft);
  compilers.set(draft, loading);
  return loading;
}

async function loadCompiler(draft: '2020' | '7'): Promise<Compiler> {
  if (draft === '7') return new (await import('ajv')).default.Ajv(OPTIONS);
  return new (await import('ajv/dist/2020.js')).default.Ajv2020(OPTIONS);
}
