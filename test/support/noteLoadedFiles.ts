// Preloaded by a program (`--import`): at its end it writes the addresses of all modules that it loaded to a file, which
// the variable names.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env['LOADED_FILES'] ?? '', JSON.stringify(loaded)));
