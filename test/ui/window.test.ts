import assert from 'node:assert/strict';
import { startProduct, type Product } from '../support/product.ts';

describe('a window without what delegation needs', () => {
  let product: Product;

  before(async () => {
    product = await startProduct({ settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' } });
  });

  after(() => product.stop());

  it('says in Restricted Mode what is missing and leads to trust, and asks for nothing', async () => {
    const { workbench } = product;
    await workbench.openContainer('Subagents');
    assert.match(await workbench.tree('Groups').welcome(), /Restricted Mode[\s\S]*Trust/);
    assert.deepEqual(await workbench.notifications.list(), []);
    await workbench.runCommand('Subagents: Review Pending Approvals');
    await workbench.notifications.waitFor(/./);
    assert.ok((await workbench.notifications.list()).every(({ severity }) => severity === 'info'));
  });

  it('says without a folder that one is needed, in the panel and in the chat', async () => {
    const { workbench, page } = product;
    const address = new URL(page.url());
    address.search = '?ew=true';
    await workbench.open(address.href);
    await workbench.openContainer('Subagents');
    assert.match(await workbench.tree('Groups').welcome(), /folder/i);
    await workbench.chat.send('subagents', 'hello');
    await workbench.chat.waitForText(/Open a folder/);
    await workbench.chat.waitForEnd();
    assert.equal(await page.locator('.statusbar .statusbar-item[id*="subagents.status"]:visible').count(), 0);
  });
});
