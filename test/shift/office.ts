import { INSTALLATION } from '../../shared/permissions.ts';
import { INSTALLATION_KEY, type World } from '../endure/world/world.ts';
import { enrolMara } from '../setup/owner.ts';
import { type Label, MAILBOXES } from './mailboxes.ts';

/** Person of the office, whom the gateway answers by a session of its own, beside those of their windows. */
export interface Person {
  readonly name: string;
  readonly login: string;
  readonly password: string;
  /** Mailboxes that the person reads; all of them for one who has the whole installation. */
  readonly reads: readonly Label[];
  /** Area code of the numbers that the person sends to. */
  readonly area: string;
  /** Asks the gateway as this person; throws for every status but 200. */
  ask<T>(path: string): Promise<T>;
}

interface Plan {
  readonly name: string;
  readonly role: 'role_fax_operator' | 'role_fax_viewer';
  readonly reads: readonly Label[] | 'everything';
}

const PASSWORD = 'a lantern in the harbor';
const PLANS = {
  ada: { name: 'Ada Lindqvist', role: 'role_fax_operator', reads: ['Quillon', 'Borzoi'] },
  ben: { name: 'Ben Achterberg', role: 'role_fax_operator', reads: ['Borzoi', 'Tamarisk'] },
  cleo: { name: 'Cleo Marchetti', role: 'role_fax_operator', reads: 'everything' },
  dana: { name: 'Dana Whitfield', role: 'role_fax_operator', reads: ['Quillon'] },
  emil: { name: 'Emil Sorensen', role: 'role_fax_operator', reads: ['Vesper'] },
} as const satisfies Record<string, Plan>;
export type Login = keyof typeof PLANS;

interface Versioned {
  readonly id: string;
  readonly version: number;
}

/** Creates the owner, the mailboxes with their numbers, and the people with their rights. */
export async function openOffice(world: World): Promise<Record<Login, Person>> {
  await enrolMara(world.address, INSTALLATION_KEY);
  const administrator = new Administrator(world);
  const mailboxes = new Map<Label, string>();
  for (const { label, number } of MAILBOXES) {
    const { mailbox } = await administrator.post<{ mailbox: Versioned }>('/access/mailboxes', { label });
    await administrator.post('/access/inbound-rules', { to_number: number, mailbox_id: mailbox.id });
    mailboxes.set(label, mailbox.id);
  }
  const people = {} as Record<Login, Person>;
  for (const login of Object.keys(PLANS) as Login[])
    people[login] = await administrator.addPerson(login, mailboxes);
  return people;
}

class Administrator {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async #policyVersion(): Promise<number> {
    return (await this.#get<{ policy_version: number }>('/access/users?limit=1')).policy_version;
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await this.#world.request('GET', path);
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status}`);
    return answer.body as T;
  }

  async post<T>(path: string, fields: object): Promise<T> {
    const json = { ...fields, expected_policy_version: await this.#policyVersion() };
    const answer = await this.#world.request('POST', path, { json });
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.bytes.toString()}`);
    return answer.body as T;
  }

  async addPerson(login: Login, mailboxes: ReadonlyMap<Label, string>): Promise<Person> {
    const { name, role, reads }: Plan = PLANS[login];
    const { user, temporary_password } = await this.post<{ user: Versioned; temporary_password: string }>(
      '/access/users',
      { display_name: name, login },
    );
    const places =
      reads === 'everything' ? [INSTALLATION] : reads.map((it) => `mailbox:${mailboxes.get(it)}`);
    for (const resource_id of places) {
      const { id, version } = (await this.#get<{ role: Versioned }>(`/access/roles/${role}`)).role;
      const subject = { kind: 'principal', id: user.id, version: user.version };
      await this.post('/access/assignments', { subject, role: { id, version }, resource_id });
    }
    const url = this.#world.address;
    const cookie = await firstSignIn(url, login, temporary_password);
    const labels = reads === 'everything' ? MAILBOXES.map(({ label }) => label) : reads;
    return {
      name,
      login,
      password: PASSWORD,
      reads: labels,
      area: MAILBOXES.find(({ label }) => label === labels[0])?.area ?? '',
      async ask(path) {
        const answer = await fetch(`${url}${path}`, { headers: { Cookie: cookie } });
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        return (await answer.json()) as never;
      },
    };
  }
}

/** Chooses the person's own password. Returns the cookie of the session. */
async function firstSignIn(url: string, login: string, temporary_password: string): Promise<string> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { Origin: url, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const signedIn = await post('/auth/login', { login, password: temporary_password });
  const cookie = cookieOf(signedIn);
  const me = await fetch(`${url}/auth/me`, { headers: { Cookie: cookie } });
  const { csrf_token } = (await me.json()) as { csrf_token: string };
  const headers = { Cookie: cookie, 'X-CSRF-Token': csrf_token };
  const changed = await post(
    '/auth/password',
    { current_password: temporary_password, password: PASSWORD },
    headers,
  );
  return cookieOf(changed) || cookie;
}

const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
