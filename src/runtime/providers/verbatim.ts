import { textOf, toolCallsOf, type AssistantMessage, type ToolCallPart } from '../domain/messages.ts';
import { isObject } from './json.ts';

/**
 * An answer in the order in which it came: what goes back unchanged stands here whole, text and calls only as places,
 * since the message holds them already (and may have given a call another id).
 */
export type Piece<Kept> =
  | { readonly type: 'kept'; readonly block: Kept }
  /** So many UTF-16 units of the message's text. */
  | { readonly type: 'text'; readonly length: number; readonly phase?: string }
  | { readonly type: 'call' };

/** What an answer's `verbatim` holds. It is of use only on the same wire at the same address: what is encrypted there can't be read elsewhere. */
export interface KeptAnswer<Kept> {
  readonly wire: string;
  readonly address: string;
  readonly pieces: readonly Piece<Kept>[];
}

/** A piece with what it stands for. */
export type Restored<Kept> =
  | { readonly type: 'kept'; readonly block: Kept }
  | { readonly type: 'text'; readonly text: string; readonly phase?: string }
  | { readonly type: 'call'; readonly call: ToolCallPart };

/** Who is going to be asked. */
export interface Reader {
  readonly provider: string;
  readonly model: string;
  readonly wire: string;
  readonly address: string;
}

/** The answer as its own provider and model wants it back. Nothing for any other reader, or where message and pieces don't match. */
export function restoreAnswer<Kept>(message: AssistantMessage, reader: Reader, isKept: (block: unknown) => block is Kept): readonly Restored<Kept>[] | undefined {
  const { verbatim } = message;
  if (verbatim?.provider !== reader.provider || verbatim.model !== reader.model) return undefined;
  if (!isKeptAnswer(verbatim.data, isKept) || verbatim.data.wire !== reader.wire || verbatim.data.address !== reader.address) return undefined;
  const { pieces } = verbatim.data;
  const text = textOf(message.content);
  const calls = toolCallsOf(message);
  const textLength = pieces.reduce((sum, piece) => sum + (piece.type === 'text' ? piece.length : 0), 0);
  if (textLength !== text.length || pieces.filter(({ type }) => type === 'call').length !== calls.length) return undefined;
  let textAt = 0;
  let callAt = 0;
  return pieces.flatMap((piece): Restored<Kept>[] => {
    switch (piece.type) {
      case 'kept':
        return [piece];
      case 'text':
        textAt += piece.length;
        return [{ type: 'text', text: text.slice(textAt - piece.length, textAt), ...(piece.phase && { phase: piece.phase }) }];
      case 'call': {
        const call = calls[callAt];
        callAt += 1;
        return call ? [{ type: 'call', call }] : [];
      }
    }
  });
}

/** Transcripts are files that anyone may edit, so what they hold is looked at before it is sent. */
function isKeptAnswer<Kept>(data: unknown, isKept: (block: unknown) => block is Kept): data is KeptAnswer<Kept> {
  if (!isObject(data) || !Array.isArray(data['pieces'])) return false;
  return data['pieces'].every((piece) => {
    if (!isObject(piece)) return false;
    if (piece['type'] === 'kept') return isKept(piece['block']);
    return piece['type'] === 'call' || (piece['type'] === 'text' && Number.isSafeInteger(piece['length']) && Number(piece['length']) >= 0);
  });
}
