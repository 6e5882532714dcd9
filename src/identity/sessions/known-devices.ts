import { randomBytes } from 'node:crypto';
import type { Sql } from '../../platform/database/database.ts';
import type { ServerSecret } from '../../platform/server-secret.ts';
import { clientNetwork } from '../anonymous-callers.ts';
import * as userRepo from '../users/user-repo.ts';
import { describeDevice } from './device-name.ts';
import * as deviceRepo from './device-repo.ts';
import type { SignInOrigin } from './sessions.ts';

/**
 * How well a person is known where they sign in from: by the token of their device; by browser and network; or not at
 * all. `who` names the device or the network that attempts are counted by.
 */
export type Standing = { readonly known: 'device' | 'network' | 'not'; readonly who: string };

export type KnownDevices = ReturnType<typeof createKnownDevices>;

type KnownDevicesDeps = { readonly sql: Sql; readonly secret: ServerSecret; readonly now?: () => number };

const DAY_MS = 86_400_000;
const KNOWN_MS = 180 * DAY_MS;
const MAX_DEVICES = 50;

/**
 * The devices and networks that each person has signed in from. A device is a random token, which a browser keeps as a
 * cookie: it survives a change of network. For clients without cookies, browser family and network count as one. The
 * token gives no access; it only sets apart the person's own attempts from those of strangers.
 */
export function createKnownDevices({ sql, secret, now = Date.now }: KnownDevicesDeps) {
  async function marksOf(userId: string, origin: SignInOrigin) {
    const mark = (text: string) => secret.mac('known_device', `${userId} ${text}`);
    return {
      place: await mark(`place ${clientNetwork(origin.address ?? '')} ${describeDevice(origin.userAgent)}`),
      device: origin.device === undefined ? undefined : await mark(`device ${origin.device}`),
    };
  }

  async function knownOf(userId: string, origin: SignInOrigin) {
    const { place, device } = await marksOf(userId, origin);
    const marks = device === undefined ? [place] : [place, device];
    const known = await deviceRepo.findKnown(sql, userId, marks, new Date(now() - KNOWN_MS));
    return { byDevice: device !== undefined && known.includes(device), byPlace: known.includes(place) };
  }

  return {
    /** The same work for an address that no one has. */
    async standingOf(email: string, origin: SignInOrigin): Promise<Standing> {
      const user = await userRepo.findByEmail(sql, email);
      const { byDevice, byPlace } = await knownOf(user?.id ?? 'nobody', origin);
      if (byDevice) return { known: 'device', who: `device ${origin.device}` };
      const who = `network ${clientNetwork(origin.address ?? '')}`;
      return { known: byPlace ? 'network' : 'not', who };
    },

    /**
     * Remembers where a person signed in. Returns whether it was known before, and the token of their device: a new one
     * unless the one they sent is theirs, so that no one can plant a token they know in another person's browser.
     */
    async remember(userId: string, origin: SignInOrigin): Promise<{ known: boolean; device: string }> {
      const { byDevice, byPlace } = await knownOf(userId, origin);
      const device = byDevice && origin.device !== undefined ? origin.device : newDevice();
      const marks = await marksOf(userId, { ...origin, device });
      const moment = new Date(now());
      await deviceRepo.remember(sql, userId, marks.place, moment, MAX_DEVICES);
      if (marks.device !== undefined)
        await deviceRepo.remember(sql, userId, marks.device, moment, MAX_DEVICES);
      return { known: byDevice || byPlace, device };
    },

    sweep: () => deviceRepo.deleteUnused(sql, new Date(now() - KNOWN_MS)),
  };
}

function newDevice(): string {
  return `dev_${randomBytes(32).toString('base64url')}`;
}
