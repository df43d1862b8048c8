import { readModelName } from '../../../runtime/definitions/modelNames.ts';
import { FOREIGN_FIELDS, SOURCE_FORMATS, type DefinitionFormat } from '../../../runtime/definitions/interop.ts';
import type { DefinitionSource } from '../../../runtime/domain/definitions.ts';
import type { L10n } from '../../l10n.ts';
import { placeAt, type LineRange } from './cursor.ts';
import { parseOptions, type AuthoringFacts } from './facts.ts';
import { modelText } from './modelWords.ts';
import { fieldAt, fieldDocs, serverState, toolHover } from './names.ts';

/** What a word means, in Markdown. */
export interface Hover {
  readonly range: LineRange;
  readonly text: string;
}

/** Explains the word at a place of the text, both from zero: a field, or a name in a value. Nothing elsewhere. */
export function hoverAt(text: string, line: number, column: number, source: DefinitionSource, facts: AuthoringFacts, l10n: L10n): Hover | undefined {
  const place = placeAt(text, line, column);
  if (place === undefined || place.kind === 'frame' || place.word === '' || column < place.replace.start || column > place.replace.end) return undefined;
  const said = place.kind === 'field' ? fieldHover([...place.path, place.word], l10n) : valueHover(place.path, place.word, SOURCE_FORMATS[source], facts, l10n);
  return said === undefined ? undefined : { range: place.replace, text: said };
}

function fieldHover(path: readonly string[], l10n: L10n): string | undefined {
  const [name = ''] = path;
  const docs = fieldDocs(path, l10n);
  const own = fieldAt(path)?.name;
  if (docs !== undefined) return path.length === 1 && own !== name ? `${l10n.t('`{0}` is {1} here.', name, `\`${own ?? ''}\``)}\n\n${docs}` : docs;
  const foreign = path.length === 1 && Object.hasOwn(FOREIGN_FIELDS, name) ? FOREIGN_FIELDS[name] : undefined;
  return foreign === undefined ? undefined : l10n.t('A field of other products.');
}

function valueHover(path: readonly string[], word: string, format: DefinitionFormat, facts: AuthoringFacts, l10n: L10n): string | undefined {
  switch (fieldAt(path)?.value.kind) {
    case 'tools':
      return toolHover(word, format, facts, l10n);
    case 'rules':
      return toolHover(word.replace(/\(.*$/, ''), 'own', facts, l10n);
    case 'model':
      return modelHover(word, format, facts, l10n);
    case 'skills':
      return facts.skills?.find(({ name }) => name.toLowerCase() === word.toLowerCase())?.description;
    case 'servers': {
      const server = facts.servers?.find(({ name }) => name === word);
      return server && `${l10n.t('MCP server {0}', server.name)}\n\n${serverState(server, l10n)}`;
    }
    case 'text':
    case 'flag':
    case 'count':
    case 'duration':
    case 'word':
    case 'map':
    case 'schema':
    case undefined:
      return undefined;
  }
}

/** What the name of a model resolves to now. */
function modelHover(word: string, format: DefinitionFormat, facts: AuthoringFacts, l10n: L10n): string | undefined {
  const { tiers, model } = facts;
  const inherited = model ? l10n.t('The model of whoever delegates, now: {0}', modelText(model)) : l10n.t('The model of whoever delegates');
  const meaning = readModelName(word, { format, ...parseOptions(facts) });
  switch (meaning.kind) {
    case 'inherit':
      return inherited;
    case 'tier': {
      const ref = tiers?.[meaning.tier];
      return ref && l10n.t('The tier `{0}`, now: {1}', meaning.tier, modelText(ref));
    }
    case 'id':
      return model && l10n.t('The model `{0}` of {1}', meaning.id, model.provider);
    case 'gives_way':
      return model && `${l10n.t('It can’t be had here, so this is used instead:')} ${inherited}`;
    case 'unknown':
      return undefined;
  }
}
