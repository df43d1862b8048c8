import { createOfflineProvider } from '../../src/runtime/providers/offline/client.ts';
import { textMessage } from '../../src/runtime/domain/messages.ts';
import { CONTRACT_REQUESTS, describeProviderContract } from './providerContract.ts';

const tools = ['Read', 'Write', 'Grep', 'Glob', 'Bash', 'AskUser'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
const agent = { name: 'Agent', description: 'Delegates.', inputSchema: { type: 'object' } };
const child = (prompt: string): (typeof CONTRACT_REQUESTS)[string] => ({ model: 'offline', system: 'Child.', messages: [textMessage(prompt)], tools });

describeProviderContract('offline', createOfflineProvider, {
  ...CONTRACT_REQUESTS,
  'a search': child('Find fooBar, "quoted words" and src/a.ts'),
  'a failure': child('fail'),
  'a short wait': child('sleep 0.02'),
  'directives': child('write a.txt: hi\nrun ls'),
  'a request to the root': { ...child('- one\n- two'), tools: [agent] },
  'a greeting to the root': { ...child('hello'), tools: [agent] },
  'a completion': { ...child(''), tools: [agent], messages: [textMessage('<background-task-completed id="bg_1" label="x" status="completed">\n## A (agentId: agent-x-1; status: completed)\nok\n</background-task-completed>', 'completion')] },
});
