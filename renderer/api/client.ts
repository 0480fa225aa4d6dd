import { createClient } from '../../shared/client/index.ts';
import { fetchReporting, type UploadProgress } from './upload.ts';

let csrfToken: string | null = null;

/** Known from each look at who is signed in; sent with everything that changes something. */
export function rememberCsrfToken(token: string | null): void {
  csrfToken = token;
}

const origin = { baseUrl: '', csrfToken: () => csrfToken };

/** The gateway that this page came from. */
export const client = createClient(origin);

/** The same, for one upload whose progress is watched. */
export function uploadingClient(onProgress: (progress: UploadProgress) => void) {
  return createClient({ ...origin, fetch: fetchReporting(onProgress) });
}
