import type { Page } from 'playwright';
import { assignmentRoutes } from '../../shared/api/access-assignments.ts';
import { groupRoutes, roleRoutes } from '../../shared/api/access-groups.ts';
import { accessKeyRoutes } from '../../shared/api/access-keys.ts';
import { mailboxRoutes } from '../../shared/api/access-mailboxes.ts';
import { peopleRoutes } from '../../shared/api/access-people.ts';
import { workRoutes } from '../../shared/api/work.ts';
import { createRooms } from '../../shared/client/index.ts';
import { INSTALLATION, type Permission } from '../../shared/permissions.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import type { TestConsole } from './console.ts';

const ROOMS = {
  people: peopleRoutes,
  groups: groupRoutes,
  roles: roleRoutes,
  assignments: assignmentRoutes,
  mailboxes: mailboxRoutes,
  keys: accessKeyRoutes,
  work: workRoutes,
};

/** Changes made by other administrators meanwhile, through the API and with the installation key. */
export class OtherAdministrator {
  readonly #console: TestConsole;

  constructor(webConsole: TestConsole) {
    this.#console = webConsole;
  }

  get rooms() {
    return this.#roomsOf(INSTALLATION_KEY);
  }

  #roomsOf(apiKey: string) {
    return createRooms(ROOMS, { baseUrl: this.#console.gateway.url, apiKey });
  }

  async policyVersion(): Promise<number> {
    return (await this.rooms.people.listUsers({ query: { limit: 1 } })).policy_version;
  }

  /** With a temporary password. */
  async person(name: string, login: string) {
    const expected_policy_version = await this.policyVersion();
    const body = { display_name: name, login, expected_policy_version };
    const { user, temporary_password } = await this.rooms.people.createUser({ body });
    return { ...user, temporary_password };
  }

  async group(name: string) {
    const expected_policy_version = await this.policyVersion();
    return (await this.rooms.groups.createGroup({ body: { name, expected_policy_version } })).group;
  }

  async integration(name: string) {
    const body = { display_name: name, expected_policy_version: await this.policyVersion() };
    return (await this.rooms.people.createIntegration({ body })).user;
  }

  /** A key that may see sent faxes, as its token; made with another key, or with the installation key. */
  async key(
    principalId: string,
    name: string,
    more: readonly Permission[] = [],
    by?: string,
  ): Promise<string> {
    const { user, policy_version } = await this.rooms.people.getUser({ params: { id: principalId } });
    const { token } = await this.#roomsOf(by ?? INSTALLATION_KEY).keys.createAccessKey({
      body: {
        principal: { id: user.id, version: user.version },
        name,
        ceiling: ['fax:read', ...more].map((permission) => ({ permission, resource_id: INSTALLATION })),
        expected_policy_version: policy_version,
      },
    });
    return token;
  }

  async mailbox(label: string) {
    const expected_policy_version = await this.policyVersion();
    return (await this.rooms.mailboxes.createMailbox({ body: { label, expected_policy_version } })).mailbox;
  }

  /** Gives a group, or a person or integration, a role somewhere. */
  async give(
    to: { id: string; version: number; kind?: string },
    roleId: string,
    resource_id: string,
  ): Promise<void> {
    const { role, policy_version } = await this.rooms.roles.getRole({ params: { id: roleId } });
    await this.rooms.assignments.createAssignment({
      body: {
        subject: { kind: to.kind === undefined ? 'group' : 'principal', id: to.id, version: to.version },
        role: { id: role.id, version: role.version },
        resource_id,
        expected_policy_version: policy_version,
      },
    });
  }

  async rename(id: string, display_name: string): Promise<void> {
    const { user, policy_version } = await this.rooms.people.getUser({ params: { id } });
    await this.rooms.people.changeUser({
      params: { id },
      body: { display_name, version: user.version, expected_policy_version: policy_version },
    });
  }

  async disable(id: string): Promise<void> {
    const { user, policy_version } = await this.rooms.people.getUser({ params: { id } });
    await this.rooms.people.changeUser({
      params: { id },
      body: { enabled: false, version: user.version, expected_policy_version: policy_version },
    });
  }

  /** Signs in by hand on a page that shows the sign-in form. */
  async signIn(page: Page, login: string, password: string): Promise<void> {
    await page.getByLabel('Sign-in name').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
  }
}
