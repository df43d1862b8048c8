import type { TranscriptEntry } from '../domain/transcripts.ts';
import { isChildSpec, isDefinition, isMessage, isModelRef, isNumber, isOutcome, isText, oneOf, optional, withFields } from './shapes.ts';

const at = isNumber;
const cause = oneOf('kind', { user: withFields({}), completion: withFields({ groupId: isText }) });
const run = oneOf('kind', {
  root: withFields({ sessionId: isText, cwd: isText }),
  child: withFields({ sessionId: isText, groupId: isText, spec: isChildSpec, definition: isDefinition, system: isText }),
});
const entry = oneOf('type', {
  started: withFields({ at, run }),
  turn: withFields({ at, turnId: isText, cause, rootModel: optional((value) => isText(value) || isModelRef(value)) }),
  resumed: withFields({ at, groupId: isText, spec: isChildSpec }),
  message: withFields({ at, message: isMessage }),
  note: withFields({ at, text: isText }),
  ended: withFields({ at, outcome: isOutcome }),
});

/** Whether a line of a transcript is an entry that can be used. */
export const isStoredEntry = (value: unknown): value is TranscriptEntry => entry(value);
