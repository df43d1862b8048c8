import type { ContentPart, Message, ToolResultPart } from '../../domain/messages.ts';
import type { ModelRequest, ToolSchema } from '../../domain/models.ts';

/** What a message or a part of a request weighs on any wire. */
interface Weight {
  /** UTF-8: a letter of most scripts beyond Latin is about as many tokens as its bytes make it. */
  readonly bytes: number;
  readonly images: number;
}

/** Bytes of one token, rather too few: code and paths have shorter ones than prose. */
const BYTES_PER_TOKEN: readonly (readonly [RegExp, number])[] = [
  [/claude/iu, 3.1],
  [/gpt|codex|\bo\d/iu, 3.7],
  [/gemini/iu, 3.7],
];
const BYTES_OF_OTHERS = 3.2;
/** Flat, since no two vendors count alike; about the most that one charges for an image as tools give it. */
const IMAGE_TOKENS = 2000;
/** Roles, ids and brackets around a message, a result or a tool. */
const FRAME_BYTES = 24;

/** What was weighed once needn't be again: none of these objects ever changes. */
const weights = new WeakMap<object, Weight>();

/** About how many tokens the message has for that model. */
export function tokensOfMessage(message: Message, model: string): number {
  return tokensOf(weighed(message, weightOfMessage), model);
}

/** About how many tokens a call's result has for that model. */
export function tokensOfResult(result: ToolResultPart, model: string): number {
  return tokensOf(weighed(result, weightOfResult), model);
}

/** About how many tokens all of a request has that is no message: system prompt, tools and reminder. */
export function tokensOfFrame({ system, tools, reminder = '', model }: Pick<ModelRequest, 'system' | 'tools' | 'reminder' | 'model'>): number {
  return tokensOf({ bytes: tools.reduce((sum, tool) => sum + bytesOfTool(tool), bytesOf(system) + bytesOf(reminder)), images: 0 }, model);
}

/** How many UTF-8 bytes that many tokens are for the model. */
export function bytesPerToken(model: string): number {
  return BYTES_PER_TOKEN.find(([family]) => family.test(model))?.[1] ?? BYTES_OF_OTHERS;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function tokensOf({ bytes, images }: Weight, model: string): number {
  return Math.ceil(bytes / bytesPerToken(model)) + images * IMAGE_TOKENS;
}

function weighed<T extends object>(thing: T, weigh: (thing: T) => Weight): Weight {
  const known = weights.get(thing);
  if (known) return known;
  const weight = weigh(thing);
  weights.set(thing, weight);
  return weight;
}

function weightOfMessage(message: Message): Weight {
  switch (message.role) {
    case 'user':
      return framed(weightOfContent(message.content));
    case 'tool':
      return message.results.reduce((sum, result) => plus(sum, weighed(result, weightOfResult)), { bytes: 0, images: 0 });
    case 'assistant': {
      let spoken = 0;
      let thought = 0;
      for (const part of message.content) {
        if (part.type === 'thinking') thought += bytesOf(part.text);
        else spoken += part.type === 'text' ? bytesOf(part.text) : FRAME_BYTES + bytesOf(part.name) + bytesOf(part.arguments);
      }
      // What goes back verbatim holds the thinking, or what stands for it.
      const kept = message.verbatim ? bytesOf(JSON.stringify(message.verbatim.data) ?? '') : 0;
      return framed({ bytes: spoken + Math.max(thought, kept), images: 0 });
    }
  }
}

function weightOfResult({ name, content }: ToolResultPart): Weight {
  const weight = framed(weightOfContent(content));
  return { ...weight, bytes: weight.bytes + bytesOf(name) };
}

function weightOfContent(content: readonly ContentPart[]): Weight {
  return content.reduce<Weight>((sum, part) => plus(sum, part.type === 'image' ? { bytes: 0, images: 1 } : { bytes: bytesOf(part.text), images: 0 }), { bytes: 0, images: 0 });
}

/** Schemas are the tool's own and stay the same object; their descriptions are made anew for each turn. */
function bytesOfTool({ name, description, inputSchema }: ToolSchema): number {
  return FRAME_BYTES + bytesOf(name) + bytesOf(description) + weighed(inputSchema, (schema) => ({ bytes: bytesOf(JSON.stringify(schema)), images: 0 })).bytes;
}

function framed(weight: Weight): Weight {
  return { ...weight, bytes: weight.bytes + FRAME_BYTES };
}

function plus(a: Weight, b: Weight): Weight {
  return { bytes: a.bytes + b.bytes, images: a.images + b.images };
}
