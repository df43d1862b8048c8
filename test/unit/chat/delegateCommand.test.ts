import assert from 'node:assert/strict';
import { parseDelegate } from '../../../src/ui/chat/delegateCommand.ts';

const NAMES = ['general-purpose', 'Explore', 'code reviewer', 'code'];

describe('/delegate', () => {
  it('makes one task of each line that says something', () => {
    assert.deepEqual(parseDelegate('Check the dependencies.\n\n  \r\n- Review src/api.ts\n2) Write tests', NAMES), [
      { display_name: 'Check the dependencies', prompt: 'Check the dependencies.' },
      { display_name: 'Review src/api.ts', prompt: 'Review src/api.ts' },
      { display_name: 'Write tests', prompt: 'Write tests' },
    ]);
  });

  it('takes the definition from a name in front, whatever its case, spaces or colon', () => {
    const types = parseDelegate('@explore find x\n@code reviewer: look\n@code do\n- @general-purpose go', NAMES).map((task) => [task.subagent_type, task.prompt]);
    assert.deepEqual(types, [['Explore', 'find x'], ['code reviewer', 'look'], ['code', 'do'], ['general-purpose', 'go']]);
  });

  it('passes on an unknown name, for the error to list the known ones', () => {
    assert.equal(parseDelegate('@nobody do it', NAMES)[0]?.subagent_type, 'nobody');
  });

  it('does not take a package or a handle in the text for a name', () => {
    assert.equal(parseDelegate('@types/node should be updated', NAMES)[0]?.subagent_type, undefined);
    assert.equal(parseDelegate('ask @code about it', NAMES)[0]?.subagent_type, undefined);
  });

  it('keeps a name without a task, so that the missing prompt is reported', () => {
    assert.deepEqual(parseDelegate('@Explore', NAMES), [{ display_name: 'Explore', subagent_type: 'Explore', prompt: '' }]);
  });

  it('names a task by its first sentence, cut at a word', () => {
    const names = parseDelegate(`Look at v1.2.3 first! Then go on.\n${'word '.repeat(40)}\n${'x'.repeat(100)}`, NAMES).map((task) => task.display_name);
    assert.equal(names[0], 'Look at v1.2.3 first!');
    assert.match(names[1] ?? '', /^(word )+word…$|^(word ?)+…$/);
    assert.ok(names.every((name) => [...name].length <= 48));
  });
});
