import type { TranscriptEntry } from '../domain/transcripts.ts';
import { isChildSpec, isDefinition, isMessage, isModelRef, isNumber, isOutcome, isText, isUsage, listOf, oneOf, optional, withFields, type Check } from './shapes.ts';

const at = isNumber;
const cause = oneOf('kind', { user: withFields({}), completion: withFields({ groupId: isText }), scheduled: withFields({ promptId: isText, title: isText }) });
const run = oneOf('kind', {
  root: withFields({ sessionId: isText, cwd: isText }),
  child: withFields({ sessionId: isText, groupId: isText, spec: isChildSpec, definition: isDefinition, system: isText }),
});
const ENTRIES: Readonly<Record<TranscriptEntry['type'], Check>> = {
  started: withFields({ at, run }),
  turn: withFields({ at, turnId: isText, cause, rootModel: optional((value) => isText(value) || isModelRef(value)) }),
  resumed: withFields({ at, groupId: isText, spec: isChildSpec }),
  message: withFields({ at, message: isMessage, usage: optional(isUsage) }),
  compacted: withFields({ at, how: isText, tokensBefore: isNumber, tokensAfter: isNumber, view: listOf((item) => isText(item) || isMessage(item)) }),
  note: withFields({ at, text: isText }),
  ended: withFields({ at, outcome: isOutcome }),
};
const entry = oneOf('type', ENTRIES);

/** Whether a line of a transcript is an entry that can be used. */
export const isStoredEntry = (value: unknown): value is TranscriptEntry => entry(value);
