import type { UiContext } from '../context.ts';
import type { Obstacle } from './obstacle.ts';

/** What delegation without the chat works with. */
export interface AnywhereContext extends UiContext {
  /** What keeps this window from delegating now. */
  readonly obstacle: () => Obstacle | undefined;
}
