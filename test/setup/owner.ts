/** The owner of every test's installation. */
export const MARA = { login: 'mara', name: 'Mara Okafor', password: 'quiet harbour lantern' };

/** Makes Mara the owner of the gateway at `url`. Answers the temporary password. No key is needed in open mode. */
export async function enrolOwner(url: string, installationKey: string | null = null): Promise<string> {
  const key: Record<string, string> = installationKey === null ? {} : { 'X-API-Key': installationKey };
  const { policy_version } = await request<{ policy_version: number }>(url, '/auth/me', { headers: key });
  const { temporary_password } = await request<{ temporary_password: string }>(url, '/auth/owner/enroll', {
    headers: key,
    body: { login: MARA.login, display_name: MARA.name, expected_policy_version: policy_version },
  });
  return temporary_password;
}

/** The same, and gives her a password of her own. */
export async function enrolMara(url: string, installationKey: string | null = null): Promise<void> {
  const temporary_password = await enrolOwner(url, installationKey);
  const origin = { Origin: url };
  const entry = await post(url, '/auth/login', {
    headers: origin,
    body: { login: MARA.login, password: temporary_password },
  });
  const cookie = { Cookie: entry.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const { csrf_token } = await request<{ csrf_token: string }>(url, '/auth/me', { headers: cookie });
  await request(url, '/auth/password', {
    headers: { ...origin, ...cookie, 'X-CSRF-Token': csrf_token },
    body: { current_password: temporary_password, password: MARA.password },
  });
}

interface RequestOptions {
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

async function request<T>(url: string, path: string, { headers, body }: RequestOptions): Promise<T> {
  const answer =
    body === undefined ? await fetch(url + path, { headers }) : await post(url, path, { headers, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

function post(url: string, path: string, { headers, body }: RequestOptions): Promise<Response> {
  const type = { 'Content-Type': 'application/json' };
  return fetch(url + path, { method: 'POST', headers: { ...headers, ...type }, body: JSON.stringify(body) });
}
