import * as vscode from 'vscode';
import type { LiteAgent } from '../../runtime/domain/liteAgent.ts';

/** Shows something about a request; the token is cancelled as soon as the request is settled anywhere. */
export async function untilSettled(agent: LiteAgent, requestId: string, show: (token: vscode.CancellationToken) => Promise<void>): Promise<void> {
  const settled = new vscode.CancellationTokenSource();
  const listening = agent.subscribe((event) => {
    if ((event.type === 'approval.decided' || event.type === 'approval.withdrawn') && event.request.id === requestId) settled.cancel();
  });
  try {
    await show(settled.token);
  } finally {
    listening.dispose();
    settled.dispose();
  }
}
