const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', mdash: '—', ndash: '–', hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', copy: '©' };
const UNSEEN = /^(script|style|template|noscript|svg|head|iframe|object|select|textarea)$/;
const INLINE = /^(a|abbr|b|bdi|bdo|cite|code|dfn|em|font|i|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)$/;

/** The bare text of HTML, good or bad, in time that is proportional to its length: without tags, comments, scripts and styles. */
export function plainText(html: string): string {
  const pieces: string[] = [];
  let hiddenIn: string | undefined;
  let at = 0;
  const take = (end: number): void => {
    if (hiddenIn === undefined && end > at) pieces.push(html.slice(at, end));
  };
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', at)) {
    const isComment = html.startsWith('<!--', open);
    const [, slash = '', written = ''] = isComment ? [] : (/^<(\/?)([a-z][a-z0-9]{0,20})/i.exec(html.slice(open, open + 24)) ?? []);
    const isMarkup = isComment || written !== '' || html[open + 1] === '!' || html[open + 1] === '?';
    if (!isMarkup) {
      take(open + 1);
      at = open + 1;
      continue;
    }
    take(open);
    const end = isComment ? html.indexOf('-->', open + 4) : html.indexOf('>', open);
    const name = written.toLowerCase();
    if (hiddenIn === undefined && name !== '' && !INLINE.test(name)) pieces.push('\n');
    if (hiddenIn === undefined && slash === '' && UNSEEN.test(name)) hiddenIn = name;
    else if (slash !== '' && name === hiddenIn) hiddenIn = undefined;
    if (end < 0) {
      at = html.length;
      break;
    }
    at = end + (isComment ? 3 : 1);
  }
  take(html.length);
  return tidy(withoutEntities(pieces.join('')));
}

/** A text in which a few common entities and all numbered ones stand for themselves. */
export function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return (Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '';
  });
}

function tidy(text: string): string {
  return text.split('\n').map((line) => line.replace(/[\t\r\f\v \u00a0]+/g, ' ').trim()).join('\n').replace(/\n{3,}/g, '\n\n').trim();
}
