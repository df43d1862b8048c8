import assert from 'node:assert/strict';
import { afterEdit, placedIn, type DraftLines } from '../../../src/ui/review/comments/draftLines.ts';
import { anchorAt, editorLines, findAnchor, shifted, shownLines, touches, type TextChange } from '../../../src/ui/review/comments/lines.ts';

const text = ['import a', '', 'function one() {', '  return 1;', '}', '', 'function two() {', '  return 2;', '}', ''];
const place = (line: number, character = 0): TextChange['start'] => ({ line, character });
const draft = (start: number, end: number, of: readonly string[] = text): DraftLines => ({ lines: { start, end }, anchor: anchorAt(of, { start, end }) });

/** The text after changes that VS Code would tell of, the last one in it first. */
function edited(before: readonly string[], changes: readonly (TextChange & { readonly text: string })[]): readonly string[] {
  return changes.reduce((lines, { start, end, text: added }) => {
    const head = (lines[start.line] ?? '').slice(0, start.character);
    const tail = (lines[end.line] ?? '').slice(end.character);
    return [...lines.slice(0, start.line), ...editorLines(head + added + tail), ...lines.slice(end.line + 1)];
  }, before);
}

function change(start: TextChange['start'], end: TextChange['end'], added: string): TextChange & { readonly text: string } {
  return { start, end, text: added, lineEnds: editorLines(added).length - 1 };
}

/** What the lines of a draft say after the changes. */
function says(of: DraftLines, ...changes: readonly (TextChange & { readonly text: string })[]): readonly string[] {
  const now = edited(text, changes);
  const { lines } = afterEdit(now, of, changes);
  return now.slice(lines.start, lines.end);
}

describe('the lines of a comment that was not sent', () => {
  it('stay on what they say when something above or below changes', () => {
    const one = draft(3, 4);
    assert.deepEqual(says(one, change(place(0), place(0), 'import z\n')), ['  return 1;']);
    assert.deepEqual(says(one, change(place(3), place(3), '  // a note\n')), ['  return 1;']);
    assert.deepEqual(says(one, change(place(2, 16), place(2, 16), '\n  // a note')), ['  return 1;']);
    assert.deepEqual(says(one, change(place(0), place(2), '')), ['  return 1;']);
    assert.deepEqual(says(one, change(place(4), place(6), '}\n\n// more\n')), ['  return 1;']);
    assert.deepEqual(says(one, change(place(7), place(7, 3), 'x'), change(place(1), place(1), '\n\n')), ['  return 1;']);
  });

  it('follow what is typed in them', () => {
    assert.deepEqual(says(draft(3, 4), change(place(3, 9), place(3, 10), '100')), ['  return 100;']);
    assert.deepEqual(says(draft(3, 4), change(place(3, 11), place(3, 11), '\n  // never')), ['  return 1;', '  // never']);
    assert.deepEqual(says(draft(2, 5), change(place(3), place(4), '')), ['function one() {', '}']);
    assert.deepEqual(says(draft(2, 5), change(place(3, 4), place(6, 0), '')), ['function one() {', '  refunction two() {']);
  });

  it('come back with an undo after they were deleted', () => {
    const deletion = change(place(3), place(4), '');
    const without = edited(text, [deletion]);
    const gone = afterEdit(without, draft(3, 4), [deletion]);
    assert.deepEqual(gone.lines, { start: 3, end: 3 });
    const undo = change(place(3), place(3), '  return 1;\n');
    assert.deepEqual(afterEdit(edited(without, [undo]), gone, [undo]).lines, { start: 3, end: 4 });
  });

  it('are found again where a formatter replaced the whole file', () => {
    const formatted = ['// formatted', ...text];
    const whole = change(place(0), place(9, 0), formatted.join('\n'));
    assert.deepEqual(afterEdit(formatted, draft(7, 8), [whole]).lines, { start: 8, end: 9 });
  });

  it('are found again in a file that changed while nobody watched', () => {
    assert.deepEqual(placedIn(['// new', ...text], draft(7, 8)).lines, { start: 8, end: 9 });
    assert.deepEqual(placedIn(['// new', ...text.slice(0, 7), '  return 22;', ...text.slice(8)], draft(7, 8)).lines, { start: 8, end: 9 }, 'by what stands around them');
    assert.deepEqual(placedIn(['nothing', 'of it'], draft(7, 8)).lines, { start: 2, end: 2 }, 'gone: at the end');
  });

  it('are told from others that say the same by what stands around them, then by the distance', () => {
    const closing = draft(8, 9);
    assert.deepEqual(findAnchor(closing.anchor, 0, text), { start: 8, end: 9 });
    const same = ['x', 'x', 'x', 'x'];
    assert.equal(findAnchor({ above: [], lines: ['x'], below: [] }, 2, same)?.start, 2);
    assert.equal(findAnchor({ above: ['a'], lines: [], below: ['b'] }, 0, ['a', 'b'])?.start, 1, 'a place between two lines');
    assert.equal(findAnchor({ above: [], lines: ['y'], below: [] }, 2, same), undefined);
  });

  it('never leave the text, whatever changes', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 500; round++) {
      let now: readonly string[] = text;
      let one = draft(random(8), 9);
      for (let step = 0; step < 5; step++) {
        const line = random(now.length);
        const end = Math.min(now.length - 1, line + random(4));
        const edit = change(place(line, random((now[line]?.length ?? 0) + 1)), place(end, now[end]?.length ?? 0), ['', '\n', 'x', 'a\nb\n'][random(4)] ?? '');
        now = edited(now, [edit]);
        one = afterEdit(now, one, [edit]);
        assert.ok(one.lines.start >= 0 && one.lines.start <= one.lines.end && one.lines.end <= now.length, JSON.stringify({ edit, lines: one.lines, now }));
      }
    }
  });
});

describe('the lines that an editor shows of a range', () => {
  it('are at least one, inside the text', () => {
    assert.deepEqual(shownLines({ start: 2, end: 4 }, 10), { start: 2, end: 4 });
    assert.deepEqual(shownLines({ start: 2, end: 2 }, 10), { start: 1, end: 2 }, 'the line before what was deleted');
    assert.deepEqual(shownLines({ start: 0, end: 0 }, 10), { start: 0, end: 1 });
    assert.deepEqual(shownLines({ start: 12, end: 15 }, 10), { start: 9, end: 10 });
    assert.deepEqual(shownLines({ start: 0, end: 5 }, 0), { start: 0, end: 1 });
  });

  it('touch one another where they share a line, or one is a place at the edge of the other', () => {
    assert.ok(touches({ start: 1, end: 3 }, { start: 2, end: 5 }));
    assert.ok(!touches({ start: 1, end: 3 }, { start: 3, end: 5 }));
    assert.ok(touches({ start: 3, end: 3 }, { start: 3, end: 5 }));
    assert.ok(touches({ start: 1, end: 3 }, { start: 3, end: 3 }));
    assert.ok(!touches({ start: 4, end: 4 }, { start: 1, end: 3 }));
  });

  it('count as editors do', () => {
    assert.deepEqual(editorLines('a\r\nb\n'), ['a', 'b', '']);
    assert.deepEqual(shifted({ start: 3, end: 4 }, { start: place(0), end: place(2), lineEnds: 0 }), { start: 1, end: 2 });
  });
});
