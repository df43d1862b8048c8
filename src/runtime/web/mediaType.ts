import { encodingOf } from './decodeText.ts';

/** What a body is called by its server. */
export interface MediaType {
  /** In lower case, without parameters; empty where there is none, and where it is no type but other words. */
  readonly name: string;
  readonly charset?: string;
}

export type BodyKind = 'html' | 'text' | 'binary';

const HTML = /^(text\/html|application\/xhtml\+xml)$/;
const TEXT = /^text\/|[/+](json|xml|yaml)$|^application\/(?:x-)?(json5?|jsonl|ndjson|json-seq|javascript|ecmascript|typescript|yaml|toml|sh|shellscript|sql|graphql|httpd-php|tex|latex|perl|python|ruby|rtf|subrip|www-form-urlencoded|xml-dtd|mbox)$/;
/** Says nothing: it is looked at what the body is. */
const UNSAID = /^(|application\/octet-stream|binary\/octet-stream|application\/x-download|application\/force-download|unknown\/unknown)$/;
/** Bytes at the beginning that tell text from other things. */
const HEAD = 2_048;

const MAX_NAME = 100;

export function readMediaType(header: string | undefined): MediaType {
  const [name = '', ...parameters] = (header ?? '').split(';');
  const type = name.trim().toLowerCase();
  const charset = parameters.map((each) => /^\s*charset\s*=\s*["']?([^"'\s]+)/i.exec(each)?.[1]).find((each) => each !== undefined);
  return { name: type.length <= MAX_NAME && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : '', ...(charset !== undefined && { charset }) };
}

/** True for what no text can be made of, whatever is in it. */
export function isSurelyBinary({ name }: MediaType): boolean {
  return !HTML.test(name) && !TEXT.test(name) && !UNSAID.test(name);
}

/** What a body really is: servers say text of what isn't, and nothing of what is. */
export function bodyKind({ name, charset }: MediaType, bytes: Uint8Array): BodyKind {
  if (isSurelyBinary({ name })) return 'binary';
  const head = bytes.subarray(0, HEAD);
  const encoding = encodingOf(head, charset);
  const text = new TextDecoder(encoding).decode(head);
  // Hardly any bytes are wrong in an encoding of two each, but for halves of pairs; its last one may be cut.
  if (text.includes('\0') || (encoding.startsWith('utf-16') && /\ufffd(?!$)/.test(text))) return 'binary';
  if (HTML.test(name)) return 'html';
  return UNSAID.test(name) && /^\s*(?:<!--[^]*?-->\s*)?<(!doctype\s+html|html|head|body)[\s>]/i.test(text) ? 'html' : 'text';
}
