import type { ApiKeys } from '../../host/apiKeys.ts';
import type { Environment } from '../../host/endpoints.ts';
import type { LocalServer } from '../../host/localServers.ts';
import type { ProviderFactories } from '../../host/models.ts';
import type { PresentModels, SettingUpdate } from '../../host/modelUpdates.ts';
import type { L10n } from '../../l10n.ts';
import type { Clock } from '../../runtime/base/clock.ts';
import type { ListedModel } from '../../runtime/providers/modelList.ts';
import type { Dialog } from './dialog.ts';

/** What **Configure Models…** works with. */
export interface ModelDeps {
  readonly dialog: Dialog;
  readonly keys: Pick<ApiKeys, 'load' | 'get' | 'sourceOf' | 'store'>;
  readonly env: Environment;
  readonly factories: ProviderFactories;
  /** The user's settings as they are now. */
  readonly present: () => PresentModels;
  /** Rejects when they can't be written. */
  readonly change: (updates: readonly SettingUpdate[]) => Promise<void>;
  /** Rejects on abort alone. */
  readonly findServers: (signal: AbortSignal) => Promise<readonly LocalServer[]>;
  /** Other vendors' models that the editor offers now, as `vendor/id`. */
  readonly editorModels: () => Promise<readonly ListedModel[]>;
  readonly clock: Clock;
  readonly l10n: L10n;
  /** Tells how it ended. */
  readonly say: (message: string) => void;
}
