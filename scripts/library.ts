// `npm run library`, and `npm pack` before it packs: dist/runtime/, the runtime for others to import.
import { buildLibrary } from './lib/library.ts';

await buildLibrary();
