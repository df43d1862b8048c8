import type { AuthoringFacts } from '../../../src/ui/authoring/editing/facts.ts';

export const FACTS: AuthoringFacts = {
  servers: [{ name: 'github', status: 'ready', tools: ['search', 'create_issue'] }, { name: 'db', status: 'failed', tools: [], error: 'No such command.' }],
  skills: [{ name: 'release-notes', description: 'How notes are written.' }, { name: 'style', description: 'House style.' }],
  tiers: { simple: { provider: 'openai', model: 'small' }, complex: { provider: 'anthropic', model: 'large', displayName: 'Large' } },
  model: { provider: 'anthropic', model: 'large' },
};
