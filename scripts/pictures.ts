// `npm run pictures`: takes the README's pictures from the packaged extension in a real VS Code.
import { join } from 'node:path';
import { startProduct } from '../test/support/product.ts';
import { projectRoot } from './lib/paths.ts';
import { waitFor } from './lib/wait.ts';

const PROMPT = ['- @Explore where is "discount" applied', '- @code-reviewer review `src/pricing.ts`', '- write docs/totals.md: How totals are rounded'].join('\n');

for (const [name, theme] of [['light', 'Default Light Modern'], ['dark', 'Default Dark Modern']] as const) {
  const product = await startProduct({ theme });
  const { workbench, page } = product;
  try {
    await page.setViewportSize({ width: 1280, height: 760 });
    await workbench.openContainer('Subagents');
    await workbench.chat.send('subagents', PROMPT);
    await workbench.notifications.waitFor('docs/totals.md');
    const groups = workbench.tree('Groups');
    await waitFor('two results', 30_000, async () => (await groups.rows()).filter(({ description }) => description.startsWith('review')).length === 2 || undefined);
    const reviewed = (await groups.rows()).find(({ description }) => description.startsWith('review'));
    await groups.inlineAction(reviewed?.label ?? '', 'Open Result');
    await waitFor('the result', 30_000, async () => page.frames().length > 2 || undefined);
    await page.mouse.move(660, 500);
    // The preview fades in.
    await page.waitForTimeout(2_000);
    await workbench.screenshot(join(projectRoot, 'docs', 'images', `panel-${name}.png`));
  } finally {
    await product.stop();
  }
}
