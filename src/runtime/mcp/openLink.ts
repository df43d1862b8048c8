import { AppError, isAppError } from '../base/errors.ts';
import { httpChannel, sseChannel, stdioChannel, type Channel } from './channel.ts';
import { ClientLink } from './clientLink.ts';
import type { ServerTarget } from './config.ts';
import { connectFailure, statusOf } from './failures.ts';
import type { LinkEvents, OpenLink } from './link.ts';
import { maskFor } from './secrets.ts';

/** Loaded on first use, with the client library: see `OpenLink`. */
export const openLink: OpenLink = async (target, events, signal) => {
  if (target.kind === 'stdio') return openOver(stdioChannel(target, events.onProcess), target, events, signal);
  if (target.kind === 'sse') return openOver(sseChannel(target), target, events, signal);
  try {
    return await openOver(httpChannel(target), target, events, signal);
  } catch (error) {
    if (!knowsOnlySse(error)) throw error;
    // What it said to the newer way says more than that the older one doesn't work either.
    return openOver(sseChannel(target), target, events, signal).catch(() => Promise.reject(error as Error));
  }
};

/** Refused for good, but not for want of a key. */
function knowsOnlySse(error: unknown): boolean {
  const status = error instanceof AppError ? statusOf(error.cause) : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403;
}

async function openOver(channel: Channel, target: ServerTarget, events: LinkEvents, signal: AbortSignal): Promise<ClientLink> {
  const mask = maskFor(target);
  const link = new ClientLink({ channel, events, mask });
  try {
    await link.open(signal);
    return link;
  } catch (error) {
    await link.close();
    const reason: unknown = signal.reason;
    const why = isAppError(reason) ? reason.message : connectFailure(error, target, mask);
    throw new AppError('unavailable', `${why}${channel.said.sentence(mask)}`, { cause: error });
  }
}
