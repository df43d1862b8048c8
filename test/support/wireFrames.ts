/** Answers of the vendors, written out as server-sent events the way each of them sends them. */

/** A model's answer: thinking, text and calls in this order. `cut` calls have arguments that stop in the middle. */
export interface WireTurn {
  readonly thinking?: string;
  readonly text?: readonly string[];
  readonly refusal?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly pieces: readonly string[] }[];
  readonly stop?: 'stop' | 'max_tokens' | 'filtered' | 'refusal';
}

/** What the thinking of these answers goes back as. */
export const SIGNATURE = 'c2lnbmVk+/=';
export const ENCRYPTED = 'ZW5jcnlwdGVk+/=';

/** What all of these answers used: 100 tokens in, of which 30 came from the cache; 20 out, of which 5 for thinking. */
export const FRAMES_USAGE = { input: 70, output: 20, cacheRead: 30, cacheWrite: 0, reasoning: 5 };

export function anthropicFrames({ thinking, text = [], refusal, calls = [], stop }: WireTurn): string[] {
  const frames: string[] = [];
  const add = (type: string, fields: object): void => void frames.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  let index = 0;
  const block = (start: object, deltas: readonly object[]): void => {
    add('content_block_start', { index, content_block: start });
    for (const delta of deltas) add('content_block_delta', { index, delta });
    add('content_block_stop', { index });
    index += 1;
  };
  add('message_start', { message: { id: 'msg_1', role: 'assistant', content: [], stop_reason: null, usage: { input_tokens: 70, cache_read_input_tokens: 30, cache_creation_input_tokens: 0, output_tokens: 1 } } });
  frames.push('event: ping\ndata: {"type": "ping"}\n\n');
  if (thinking !== undefined) {
    block({ type: 'thinking', thinking: '', signature: '' }, [{ type: 'thinking_delta', thinking }, { type: 'signature_delta', signature: SIGNATURE }]);
  }
  const said = [...text, ...(refusal ? [refusal] : [])];
  if (said.length > 0) block({ type: 'text', text: '' }, said.map((piece) => ({ type: 'text_delta', text: piece })));
  for (const { id, name, pieces } of calls) block({ type: 'tool_use', id, name, input: {} }, pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })));
  const reasons = { stop: calls.length > 0 ? 'tool_use' : 'end_turn', max_tokens: 'max_tokens', filtered: 'refusal', refusal: 'refusal' };
  add('message_delta', { delta: { stop_reason: reasons[refusal ? 'refusal' : (stop ?? 'stop')], stop_sequence: null }, usage: { output_tokens: 20, output_tokens_details: { thinking_tokens: 5 } } });
  add('message_stop', {});
  return frames;
}

export function responsesFrames({ thinking, text = [], refusal, calls = [], stop }: WireTurn): string[] {
  const frames: string[] = [];
  const add = (type: string, fields: object): void => void frames.push(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: frames.length, ...fields })}\n\n`);
  const output: object[] = [];
  const item = (begun: object, done: object, events: (index: number) => void): void => {
    const index = output.length;
    add('response.output_item.added', { output_index: index, item: begun });
    events(index);
    output.push(done);
    add('response.output_item.done', { output_index: index, item: done });
  };
  add('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } });
  if (thinking !== undefined) {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: thinking }], encrypted_content: ENCRYPTED, status: 'completed' };
    item({ ...reasoning, summary: [], encrypted_content: 'cGFydA==' }, reasoning, (index) => {
      add('response.reasoning_summary_part.added', { output_index: index, summary_index: 0 });
      add('response.reasoning_summary_text.delta', { output_index: index, summary_index: 0, delta: thinking });
    });
  }
  if (text.length > 0 || refusal) {
    const content = refusal ? [{ type: 'refusal', refusal }] : [{ type: 'output_text', text: text.join(''), annotations: [] }];
    const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
    item({ ...message, content: [] }, { ...message, content }, (index) => {
      for (const delta of text) add('response.output_text.delta', { output_index: index, content_index: 0, delta });
      if (refusal) add('response.refusal.delta', { output_index: index, content_index: 0, delta: refusal });
    });
  }
  for (const { id, name, pieces } of calls) {
    const isCut = stop === 'max_tokens';
    const call = { type: 'function_call', id: `fc_${id}`, call_id: id, name, status: isCut ? 'incomplete' : 'completed' };
    item({ ...call, arguments: '' }, { ...call, arguments: pieces.join('') }, (index) => {
      for (const delta of pieces) add('response.function_call_arguments.delta', { output_index: index, delta });
    });
  }
  const usage = { input_tokens: 100, input_tokens_details: { cached_tokens: 30, cache_write_tokens: 0 }, output_tokens: 20, output_tokens_details: { reasoning_tokens: 5 }, total_tokens: 120 };
  const reason = stop === 'max_tokens' ? 'max_output_tokens' : stop === 'filtered' ? 'content_filter' : undefined;
  if (reason) add('response.incomplete', { response: { id: 'resp_1', status: 'incomplete', incomplete_details: { reason }, output, usage } });
  else add('response.completed', { response: { id: 'resp_1', status: 'completed', incomplete_details: null, output, usage } });
  return frames;
}

export function chatFrames({ thinking, text = [], refusal, calls = [], stop }: WireTurn, { isOwn = false } = {}): string[] {
  const frames: string[] = [];
  const add = (fields: object): void => void frames.push(`data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...fields })}\n\n`);
  const delta = (fields: object): void => add({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
  delta({ role: 'assistant', content: '' });
  // OpenAI itself never shows thinking on this wire.
  if (thinking !== undefined && !isOwn) delta({ reasoning_content: thinking });
  for (const content of text) delta({ content });
  if (refusal) delta({ refusal });
  calls.forEach(({ id, name, pieces }, index) => {
    delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    for (const piece of pieces) delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  });
  const reasons = { stop: calls.length > 0 ? 'tool_calls' : 'stop', max_tokens: 'length', filtered: 'content_filter', refusal: 'stop' };
  add({ choices: [{ index: 0, delta: {}, finish_reason: reasons[stop ?? 'stop'] }] });
  add({ choices: [], usage: { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 30 }, completion_tokens: 20, completion_tokens_details: { reasoning_tokens: 5 } } });
  frames.push('data: [DONE]\n\n');
  return frames;
}
