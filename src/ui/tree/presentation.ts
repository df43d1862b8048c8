import type { AgentColor } from '../../runtime/domain/definitions.ts';
import { inert } from '../chat/markdown.ts';

/** A product icon with a theme colour, by their ids. */
export interface Icon {
  readonly id: string;
  readonly color?: string;
}

/** How a row looks, as data. */
export interface Row {
  readonly label: string;
  readonly description: string;
  readonly icon: Icon;
  /** Kind and state, such as `child+running+approval`: what menus match. */
  readonly contextValue: string;
  /** What a screen reader says. */
  readonly spoken: string;
}

/** A line of a tooltip. The value may come from a model and is shown literally. */
export interface TooltipLine {
  readonly name: string;
  readonly value: string;
}

export const COLORS = {
  good: 'testing.iconPassed',
  bad: 'testing.iconFailed',
  warn: 'notificationsWarningIcon.foreground',
  info: 'notificationsInfoIcon.foreground',
  quiet: 'disabledForeground',
} as const;

/** Colours of agents. Every theme has these; charts know no pink and no cyan. */
export const AGENT_THEME_COLORS: Readonly<Record<AgentColor, string>> = {
  red: 'charts.red',
  blue: 'charts.blue',
  green: 'charts.green',
  yellow: 'charts.yellow',
  purple: 'charts.purple',
  orange: 'charts.orange',
  pink: 'terminal.ansiMagenta',
  cyan: 'terminal.ansiCyan',
};

/** What a row can be in, each with an icon of its own. */
export type RowState = 'queued' | 'waiting' | 'asking' | 'running' | 'silent' | 'retrying' | 'elsewhere' | 'review' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'interrupted';

export const STATE_ICONS: Readonly<Record<RowState, Icon>> = {
  queued: { id: 'circle-outline', color: COLORS.quiet },
  waiting: { id: 'bell-dot', color: COLORS.warn },
  asking: { id: 'question', color: COLORS.warn },
  running: { id: 'loading~spin' },
  silent: { id: 'watch', color: COLORS.warn },
  retrying: { id: 'history', color: COLORS.warn },
  elsewhere: { id: 'multiple-windows', color: COLORS.quiet },
  review: { id: 'eye', color: COLORS.info },
  completed: { id: 'pass', color: COLORS.good },
  partial: { id: 'warning', color: COLORS.warn },
  failed: { id: 'error', color: COLORS.bad },
  cancelled: { id: 'circle-slash', color: COLORS.quiet },
  interrupted: { id: 'debug-disconnect', color: COLORS.warn },
};

/**
 * A tooltip as Markdown in which the title and the values are mere text. VS Code's own `appendText` would glue words
 * together with spaces that don't break, so that lines break inside of words.
 */
export function tooltipMarkdown(title: string, lines: readonly TooltipLine[]): string {
  const text = (value: string): string => inert(value, Number.POSITIVE_INFINITY);
  return [`**${text(title)}**\n`, ...lines.map(({ name, value }) => `${name}: ${text(value)}  `)].join('\n');
}

/** Joins what there is to say with the dot that VS Code uses. */
export function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}
