import type { ModelProvider } from '../../runtime/domain/models.ts';
import { editorModels } from './editorModels.ts';
import { createEditorProvider } from './editorProvider.ts';

/** Turns of the editor's own models. `ownVendor`: of those that the extension offers itself. */
export function editorStream(ownVendor: string): ModelProvider['stream'] {
  const provider = createEditorProvider({ models: editorModels, ownVendor });
  return (request) => provider.stream(request);
}
