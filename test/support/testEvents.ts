/** What happens in a test run, one JSON object a line in the results file. */
export type TestEvent =
  | { readonly event: 'pass'; readonly title: string; readonly durationMs: number; readonly file?: string }
  | { readonly event: 'fail'; readonly title: string; readonly error: string; readonly file?: string }
  | { readonly event: 'pending'; readonly title: string }
  | { readonly event: 'end' };

/** The event as text for people; empty where there is nothing to say. */
export function describeEvent(event: TestEvent): string {
  switch (event.event) {
    case 'pass':
      return `  ✓ ${event.title}${event.durationMs > 500 ? ` (${event.durationMs} ms)` : ''}`;
    case 'fail':
      return `  ✗ ${event.title}\n${event.error.replaceAll(/^/gm, '      ')}`;
    case 'pending':
      return `  - ${event.title} (skipped)`;
    case 'end':
      return '';
  }
}

/** Reads the lines of a results file; a last line that is still being written is left out. */
export function parseEvents(text: string): TestEvent[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as TestEvent);
}
