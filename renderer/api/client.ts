import { accessRoutes } from '../../shared/api/access.ts';
import { consoleRoutes } from '../../shared/api/console.ts';
import { contactsRoutes } from '../../shared/api/contacts.ts';
import { inboundRoutes } from '../../shared/api/inbound.ts';
import { junkRoutes } from '../../shared/api/inbound-junk.ts';
import { outboundRoutes } from '../../shared/api/outbound.ts';
import { presenceRoutes } from '../../shared/api/presence.ts';
import { settingsRoutes } from '../../shared/api/settings.ts';
import { systemRoutes } from '../../shared/api/system.ts';
import { workRoutes } from '../../shared/api/work.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { fetchSettled } from './acts.ts';
import { pageToken, rememberAddressToken } from './page-token.ts';
import { fetchAfterSignOut } from './sign-out.ts';
import { fetchReporting, type UploadProgress } from './upload.ts';

let csrfToken: string | null = null;

/** Known from each look at who is signed in; proves with what follows that it comes from this page. */
export function rememberTokens(me: { csrf_token?: string | null; address_token?: string | null }): void {
  csrfToken = me.csrf_token ?? null;
  rememberAddressToken(me.address_token ?? null);
}

/** Routes for the first screen. The clients of other screens load with those screens, see `access.ts`. */
const DAILY = {
  system: systemRoutes,
  access: accessRoutes,
  settings: settingsRoutes,
  outbound: outboundRoutes,
  inbound: inboundRoutes,
  junk: junkRoutes,
  work: workRoutes,
  presence: presenceRoutes,
  contacts: contactsRoutes,
  console: consoleRoutes,
};

/** The gateway that this page came from. */
export const origin = {
  baseUrl: '',
  csrfToken: () => csrfToken,
  pageToken,
  fetch: fetchAfterSignOut(fetchSettled((input, init) => fetch(input, init))),
};

export const client = createRooms(DAILY, origin);

/** The same, for one upload whose progress is watched. */
export function uploadingClient(onProgress: (progress: UploadProgress) => void) {
  return createRooms(DAILY, { ...origin, fetch: fetchSettled(fetchReporting(onProgress)) });
}
