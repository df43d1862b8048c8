/** How a question was left: answered, back to the one before, or all of it given up. */
export type Answer<T> = { readonly kind: 'answer'; readonly value: T } | { readonly kind: 'back' } | { readonly kind: 'leave' };

export interface Choice<T> {
  readonly label: string;
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
  readonly value: T;
  /** True for one that stands there whatever is typed to filter. */
  readonly stays?: boolean;
}

/** Where a question stands in its row of questions. */
export interface Place {
  /** From 1. */
  readonly step: number;
  readonly total: number;
  readonly canGoBack: boolean;
}

export interface ChoiceQuestion<T> {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** The choice to begin at. */
  readonly active?: Choice<T> | undefined;
  /** Further choices, which take a while to find; they come before the others. Rejects on abort alone. */
  readonly more?: (signal: AbortSignal) => Promise<readonly Choice<T>[]>;
}

/** One of a list from which any number can be ticked. */
export interface TickChoice<T> extends Choice<T> {
  /** The title under which it stands, with its neighbours of the same. */
  readonly group: string;
}

export interface TickQuestion<T> {
  readonly placeholder: string;
  readonly choices: readonly TickChoice<T>[];
  /** Those that are ticked at first. */
  readonly ticked: readonly T[];
}

export interface TextQuestion {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string | undefined;
  readonly isSecret?: boolean;
  /** Why a text, without white space around it, can't be taken; nothing where it can. */
  readonly problem: (text: string) => string | undefined;
}

/** Something that can't go on by itself. It has no way back but the actions. */
export interface TroubleQuestion<T> {
  readonly message: string;
  readonly detail: string;
  readonly actions: readonly { readonly label: string; readonly value: T }[];
}

/** What a row of questions is asked through. Whatever it shows is closed before it answers. */
export interface Dialog {
  choose<T>(question: ChoiceQuestion<T>, place: Place): Promise<Answer<T>>;
  /** What is ticked, in the order of the list; perhaps nothing. */
  tick<T>(question: TickQuestion<T>, place: Place): Promise<Answer<readonly T[]>>;
  /** The text without white space around it. */
  enter(question: TextQuestion, place: Place): Promise<Answer<string>>;
  /** Shows that something is being done. Going back or leaving aborts the signal; what the work does then is nobody's affair. Rejects as the work does. */
  wait<T>(message: string, work: (signal: AbortSignal) => Promise<T>, place: Place): Promise<Answer<T>>;
  /** Nothing where the person closes it. */
  trouble<T>(question: TroubleQuestion<T>): Promise<T | undefined>;
}
