export type { L10n } from '../l10n.ts';
