import type { Place } from './dialog.ts';

/** Where to go after a question. `to`: the question of that name, an earlier one. */
export type Move<D> = { readonly kind: 'next'; readonly draft: D } | { readonly kind: 'back' } | { readonly kind: 'leave' } | { readonly kind: 'to'; readonly name: string; readonly draft: D };

/** One question of a row. What is answered so far is a draft that each question hands on. */
export interface Question<D> {
  readonly name: string;
  /** It asks something only where there is trouble: it isn't counted, and whoever goes back passes it. */
  readonly isSilent?: boolean;
  /** Whether it is asked, as things stand. */
  readonly applies: (draft: D) => boolean;
  readonly ask: (draft: D, place: Place) => Promise<Move<D>>;
}

/** Asks one question after the other. Going back keeps what was answered, for the questions to begin with. Nothing where the person leaves. */
export async function askAll<D>(questions: readonly Question<D>[], first: D): Promise<D | undefined> {
  let asked: readonly Question<D>[] = [];
  let draft = first;
  let question = nextOf(questions, draft);
  while (question !== undefined) {
    const move = await question.ask(draft, placeOf(questions, question, draft, asked.length > 0));
    switch (move.kind) {
      case 'leave':
        return undefined;
      case 'back':
        question = asked.at(-1) ?? question;
        asked = asked.slice(0, -1);
        break;
      case 'next':
        if (question.isSilent !== true) asked = [...asked, question];
        draft = move.draft;
        question = nextOf(questions, draft, question);
        break;
      case 'to': {
        const index = questions.findIndex(({ name }) => name === move.name);
        asked = asked.filter((one) => questions.indexOf(one) < index);
        draft = move.draft;
        question = questions[index] ?? question;
        break;
      }
    }
  }
  return draft;
}

function nextOf<D>(questions: readonly Question<D>[], draft: D, after?: Question<D>): Question<D> | undefined {
  const start = after === undefined ? 0 : questions.indexOf(after) + 1;
  return questions.slice(start).find(({ applies }) => applies(draft));
}

function placeOf<D>(questions: readonly Question<D>[], question: Question<D>, draft: D, canGoBack: boolean): Place {
  const counted = questions.filter((one) => one.isSilent !== true && (one === question || one.applies(draft)));
  const before = counted.filter((one) => questions.indexOf(one) < questions.indexOf(question)).length;
  return { step: before + 1, total: counted.length, canGoBack };
}
