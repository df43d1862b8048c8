import assert from 'node:assert/strict';
import { deferred } from '../../../src/runtime/base/async.ts';
import { AppError } from '../../../src/runtime/base/errors.ts';
import { Emitter } from '../../../src/runtime/base/emitter.ts';
import type { RuntimeEvent } from '../../../src/runtime/domain/events.ts';
import type { FileReview } from '../../../src/runtime/domain/reviews.ts';
import { filesOf, firstWith, groupsOf, targetsOf } from '../../../src/ui/commands/targets.ts';
import { ChangeCache } from '../../../src/ui/review/changeCache.ts';
import { changeKey, changeQuery, rowMark, rowQuery, type ChangeKey } from '../../../src/ui/review/diff/changeUris.ts';
import { changesOf, diffOf, scopeName } from '../../../src/ui/review/diff/scopes.ts';
import { fileFacts, fileWords, isUndoable } from '../../../src/ui/review/fileFacts.ts';
import { hunkWords } from '../../../src/ui/review/hunkItem.ts';
import { joinReports, undoQuestion, undoResult } from '../../../src/ui/review/undoText.ts';
import { fileRow, fileTooltip } from '../../../src/ui/tree/fileItem.ts';
import { child, english as l10n, file, group, hunk, request, strictReviews } from './fakes.ts';

const conflict = hunk({ id: 'h2', conflict: 'Somebody else changed these lines.' });
const agent = request().agent;
const key = { sessionId: 's1', groupId: 'g1', agentId: 'agent-1' };

describe('addresses of what a child changed', () => {
  it('lead back to the side that they name, whatever is in it', () => {
    const keys: readonly ChangeKey[] = [
      { scope: { kind: 'child', agentId: 'a&side=x/#?% é' }, side: 'before', path: '/w/a b&c=#?%41/ü.ts', isNote: false },
      { scope: { kind: 'group', groupId: 'g' }, side: 'after', path: 'C:\\w\\a.ts', isNote: true },
      { scope: { kind: 'child', agentId: 'a' }, side: 'none', path: '/w/a.ts', isNote: false },
    ];
    for (const one of keys) assert.deepEqual(changeKey(changeQuery(one)), one);
  });

  it('of strangers name nothing', () => {
    for (const query of ['', 'child=a', 'child=a&side=before', 'child=&side=before&path=/a', 'child=a&side=left&path=/a', '%E0%A4%A', 'row=a&kind=edited']) assert.equal(changeKey(query), undefined, query);
  });

  it('of rows give their mark, and are no document’s', () => {
    const mark = { kind: 'created', isDone: true } as const;
    assert.deepEqual(rowMark(rowQuery('a', mark)), mark);
    assert.deepEqual(rowMark(rowQuery('a', { kind: 'edited', isDone: false })), { kind: 'edited', isDone: false });
    assert.equal(rowMark(changeQuery({ scope: { kind: 'child', agentId: 'a' }, side: 'before', path: '/a', isNote: false })), undefined);
  });

  it('ask for a child’s or a group’s changes, by its name', async () => {
    const asked: string[] = [];
    const note = <T>(answer: T) => async (...args: readonly string[]) => {
      asked.push(args.join(' '));
      return answer;
    };
    const diff = { before: undefined, after: undefined, isPresent: true };
    const twins = [child({ agentId: 'a' }), child({ agentId: 'b' })];
    const fake = { reviews: strictReviews({ changes: note([]), groupChanges: note([]), diff: note(diff), groupDiff: note(diff) }), child: (id: string) => twins.find(({ agentId }) => agentId === id), group: (id: string) => (id === 'g1' ? group(twins) : undefined) };
    for (const scope of [{ kind: 'child', agentId: 'b' }, { kind: 'group', groupId: 'g1' }] as const) {
      await changesOf(fake, scope);
      await diffOf(fake, scope, '/p');
    }
    assert.deepEqual(asked, ['b', 'b /p', 'g1', 'g1 /p']);
    assert.deepEqual([scopeName(fake, { kind: 'child', agentId: 'b' }, l10n), scopeName(fake, { kind: 'group', groupId: 'g1' }, l10n), scopeName(fake, { kind: 'child', agentId: 'gone' }, l10n)], ['Docs review #2', 'Docs review and 1 more', '']);
  });
});

describe('a changed file', () => {
  const words = (patch: Partial<FileReview>): string => fileWords(fileFacts(file(patch)), l10n);

  it('says how much was changed, and what was decided', () => {
    assert.deepEqual([
      words({}), words({ state: 'accepted' }), words({ state: 'undone' }), words({ state: 'mixed' }), words({ state: 'gone' }),
      words({ hunks: [conflict] }), words({ hunks: [hunk(), conflict] }), words({ unknown: 'It is too large.', hunks: [] }),
    ], ['+2 −1', '+2 −1 · accepted', '+2 −1 · undone', '+2 −1 · partly undone', '+2 −1 · changed back by others', '+2 −1 · conflict', '+2 −1 · partly in conflict', '+2 −1 · can’t be undone']);
    assert.deepEqual([words({ kind: 'created', removed: 0 }), words({ kind: 'deleted', added: 0 }), words({ isBinary: true, added: 0, removed: 0 }), words({ added: 0, removed: 0 })], ['created · +2', 'deleted · −1', 'binary', '+0']);
  });

  it('can be undone where something is left that nobody else changed and that is known', () => {
    const undoable = (patch: Partial<FileReview>): boolean => isUndoable(fileFacts(file(patch)));
    assert.ok(undoable({}) && undoable({ hunks: [hunk(), conflict] }));
    for (const patch of [{ hunks: [conflict] }, { hunks: [] }, { state: 'accepted', hunks: [] }, { unknown: 'It is too large.' }] as const) assert.ok(!undoable(patch), JSON.stringify(patch));
  });

  it('has a row that tells its folder, and what can be done to it', () => {
    const context = { cwd: '/w', isDecidable: true, l10n };
    assert.deepEqual(fileRow(fileFacts(file()), context), { label: 'a.ts', description: 'src · +2 −1', contextValue: 'file+open+decidable+undoable', spoken: 'a.ts, edited, src · +2 −1' });
    const value = (patch: Partial<FileReview>, isDecidable = true): string => fileRow(fileFacts(file(patch)), { ...context, isDecidable }).contextValue;
    assert.deepEqual([value({ hunks: [conflict] }), value({ state: 'undone', hunks: [] }), value({}, false)], ['file+open+decidable', 'file+undone', 'file+open']);
    const place = (path: string): string | undefined => fileRow(fileFacts(file({ path })), context).description.split(' · ')[0];
    assert.deepEqual([place('/w/b.ts'), place('/other/c/d.ts'), place('/w2/e.ts'), place('/w/..dots/f.ts')], ['+2 −1', '/other/c', '/w2', '..dots']);
    assert.equal(fileRow(fileFacts(file({ path: '/w/x/a\n\u202eb.ts' })), context).label, 'a b.ts');
  });

  it('has a tooltip that says why it can’t be undone, and who else changed it', () => {
    const context = { cwd: '/w', isDecidable: true, l10n };
    const lines = (patch: Partial<FileReview>): Readonly<Record<string, string>> => Object.fromEntries(fileTooltip(fileFacts(file(patch)), context).map(({ name, value }) => [name, value]));
    assert.deepEqual(lines({ unknown: 'It is\ntoo large.', sharedWith: ['b'] }), { 'File': '/w/src/a.ts', 'Change': 'edited · +2 −1 · can’t be undone', 'Note': 'It is too large.', 'Also changed by': '1 other subagent' });
    assert.equal(lines({ hunks: [conflict] })['Note'], conflict.conflict);
    assert.equal(lines({ unknown: 'x', state: 'accepted' })['Note'], undefined);
  });
});

describe('the pieces of a change in a list', () => {
  it('tell their lines, and what went and came', () => {
    assert.deepEqual(hunkWords(hunk(), file(), l10n), { label: 'Lines 3–4: new', description: '+2 −1', detail: '− old   + new (and 1 more)' });
    assert.deepEqual(hunkWords(hunk({ lines: { start: 4, end: 4 }, now: [], before: ['', '  gone'] }), file(), l10n), { label: 'Before line 5: gone', description: '+0 −2', detail: '− gone' });
    assert.equal(hunkWords(hunk({ lines: { start: 0, end: 1 }, now: ['xyz'.repeat(40)] }), file(), l10n).label.length, 'Line 1: '.length + 80);
  });

  it('say why one is in conflict instead', () => {
    assert.deepEqual(hunkWords(conflict, file(), l10n), { label: 'Lines 3–4: new', description: '+2 −1 · conflict', detail: 'Somebody else changed these lines.' });
  });

  it('are the whole file where it came, went or is binary, and make no icon of a model’s text', () => {
    const label = (patch: Partial<FileReview>): string => hunkWords(hunk({ now: [], before: [] }), file(patch), l10n).label;
    assert.deepEqual([label({ kind: 'created' }), label({ kind: 'deleted' }), label({ isBinary: true })], ['The new file', 'The deleted file', 'The whole file']);
    const { label: first, detail } = hunkWords(hunk({ before: ['$(trash)'], now: ['$(zap)'] }), file(), l10n);
    assert.ok(!first.includes('$(') && !detail.includes('$('));
  });
});

describe('an undo', () => {
  it('names what it is about before it is done', () => {
    const paths = Array.from({ length: 12 }, (_, index) => `/w/f${index}.ts`);
    const { text, detail } = undoQuestion(['Docs'], paths, l10n);
    assert.equal(text, 'Undo what “Docs” changed in 12 files?');
    assert.deepEqual(detail.split('\n').slice(9), ['f9.ts', '… and 2 more', '', 'What you accepted stays, and what you or others changed since does, too.']);
    assert.equal(undoQuestion(['Docs'], ['/a'], l10n).text, 'Undo what “Docs” changed in 1 file?');
    assert.equal(undoQuestion(['Docs', 'Tests', 'Code'], ['/a', '/b'], l10n).text, 'Undo what “Docs and 2 more” changed in 2 files?');
  });

  it('asks about each file on a line of its own, whatever a model called it', () => {
    const { detail } = undoQuestion(['A'], ['/w/a.txt\n\nNothing else is touched.\u202e', '/w/\u202e'], l10n);
    assert.deepEqual(detail.split('\n').slice(0, -1), ['a.txt Nothing else is touched.', '…', '']);
  });

  it('tells in one message what came of it', () => {
    const why = 'See [here](command:x).';
    const conflicts = ['a', 'b', 'c', 'd'].map((name) => ({ path: `/w/${name}.ts`, why }));
    const text = undoResult(joinReports([{ undone: ['/w/x.ts'], conflicts: [], unsaved: [] }, { undone: ['/w/x.ts', '/w/y.ts'], conflicts: conflicts.slice(0, 1), unsaved: ['/w/y.ts'] }]), l10n);
    assert.equal(text.replaceAll('\u2060', ''), 'Undone: x.ts, y.ts. Not undone in a.ts: See [here](command:x). Changed in the editor, but not saved: y.ts.');
    assert.doesNotMatch(text, /\]\(/);
    assert.match(undoResult({ undone: [], conflicts, unsaved: [] }, l10n), /^Nothing was undone\. .* And 1 more files are not undone\.$/);
  });
});

describe('what a command acts on', () => {
  const node = (path: string, agentId = 'a') => ({ kind: 'file', file: { agentId, path }, parent: { groupId: 'g', agentId } });

  it('is a file for a file’s row, never its child or group', () => {
    const targets = targetsOf([node('/a'), [node('/a'), node('/b'), node('/c', 'b'), { kind: 'child', groupId: 'g', agentId: 'x' }]]);
    assert.deepEqual(filesOf(targets), [{ agentId: 'a', path: '/a' }, { agentId: 'a', path: '/b' }, { agentId: 'b', path: '/c' }]);
    assert.deepEqual(targets.flatMap(({ agentId }) => agentId ?? []), ['x']);
    assert.deepEqual(groupsOf(targets), []);
  });

  it('is the clicked one for a command on one thing, or the first that it can take', () => {
    const row = { kind: 'child', groupId: 'g', agentId: 'x' };
    assert.deepEqual(firstWith(targetsOf([node('/b'), [node('/a'), row, node('/b')]]), 'file'), { agentId: 'a', path: '/b' });
    assert.deepEqual(firstWith(targetsOf([row, [row, node('/a')]]), 'file'), { agentId: 'a', path: '/a' });
    assert.equal(firstWith(targetsOf([row]), 'file'), undefined);
  });

  it('is nothing for what isn’t one', () => {
    for (const value of [undefined, null, 7, 'x', {}, { file: '/a' }, { file: { path: '/a' } }, { file: { agentId: 'a', path: 7 } }, { agentId: '' }, Object.create({ agentId: 'inherited' })]) assert.deepEqual(targetsOf([value]), [], JSON.stringify(value));
  });
});

describe('what is known of changed files', () => {
  let events: Emitter<RuntimeEvent>;
  let answers: Map<string, readonly FileReview[]>;
  let asked: string[];
  let stale: ReturnType<typeof deferred<string>>;
  let cache: ChangeCache;

  beforeEach(() => {
    events = new Emitter((error) => assert.fail(String(error)));
    answers = new Map([['a', [file()]], ['b', [file({ sharedWith: ['a'] })]], ['c', [file({ path: '/w/c.ts' })]]]);
    asked = [];
    stale = deferred();
    const reviews = strictReviews({
      async changes(agentId) {
        asked.push(agentId);
        const found = answers.get(agentId);
        if (found === undefined) throw new AppError('not_found', 'No such child.');
        return found;
      },
      async file(agentId, path) {
        asked.push(`${agentId} ${path}`);
        return answers.get(agentId)?.find((each) => each.path === path) ?? assert.fail(path);
      },
    });
    cache = new ChangeCache({ reviews, subscribe: (listener) => events.event(listener) }, (agentId) => stale.resolve(agentId));
  });

  afterEach(() => cache.dispose());

  const changed = (path: string): RuntimeEvent => ({ at: 0, type: 'files.changed', agent, callId: 'c', changes: [{ path, kind: 'edited' }] });

  it('is asked once, however often a row is drawn', async () => {
    await Promise.all([cache.of('a'), cache.of('a')]);
    await cache.of('a');
    assert.deepEqual(asked, ['a']);
  });

  it('is asked anew after the child changed something, or somebody decided', async () => {
    await cache.of('agent-1').catch(() => undefined);
    answers.set('agent-1', [file()]);
    await cache.of('agent-1');
    events.fire(changed('/w/src/b.ts'));
    await cache.of('agent-1');
    events.fire({ at: 0, type: 'review.decided', ...key, decision: { id: 'd', path: '/w/src/a.ts', verdict: 'accepted', content: { kind: 'absent' }, lines: 'all' } });
    await cache.of('agent-1');
    assert.deepEqual(asked, ['agent-1', 'agent-1', 'agent-1', 'agent-1 /w/src/a.ts'], 'the first one failed, and is not kept; of a decision only its file is looked at');
  });

  it('is asked anew when the worktree in which it stands is gone', async () => {
    answers.set('agent-1', [file()]);
    await cache.of('agent-1');
    events.fire({ at: 0, type: 'worktree.removed', ...key });
    await cache.of('agent-1');
    assert.deepEqual(asked, ['agent-1', 'agent-1']);
  });

  it('tells of others only where their rows say something else now', async () => {
    for (const agentId of ['a', 'b', 'c']) await cache.of(agentId);
    answers.set('b', [file({ sharedWith: ['a'], hunks: [conflict] })]);
    cache.touch(['/w/src/a.ts', '/w/elsewhere.ts']);
    assert.equal(await stale.promise, 'b');
    assert.deepEqual(asked, ['a', 'b', 'c', 'a /w/src/a.ts', 'b /w/src/a.ts'], 'what the files of c say can’t have changed');
    assert.equal((await cache.of('b'))[0]?.conflicts, 1);
  });
});
