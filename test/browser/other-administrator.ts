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

/** Another administrator, who makes changes through the API with the installation key while a page is open. */
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

  /** Creates a person with a temporary password, which is returned. */
  async createPerson(name: string, login: string) {
    const expected_policy_version = await this.policyVersion();
    const body = { display_name: name, login, expected_policy_version };
    const { user, temporary_password } = await this.rooms.people.createUser({ body });
    return { ...user, temporary_password };
  }

  async createGroup(name: string) {
    const expected_policy_version = await this.policyVersion();
    return (await this.rooms.groups.createGroup({ body: { name, expected_policy_version } })).group;
  }

  async createIntegration(name: string) {
    const body = { display_name: name, expected_policy_version: await this.policyVersion() };
    return (await this.rooms.people.createIntegration({ body })).user;
  }

  /**
   * Creates an API key that may see sent faxes, and returns its token. `by` is the token of the key that creates it; the
   * installation key when left out.
   */
  async createKey(
    principalId: string,
    name: string,
    furtherPermissions: readonly Permission[] = [],
    by?: string,
  ): Promise<string> {
    const { user, policy_version } = await this.rooms.people.getUser({ params: { id: principalId } });
    const { token } = await this.#roomsOf(by ?? INSTALLATION_KEY).keys.createAccessKey({
      body: {
        principal: { id: user.id, version: user.version },
        name,
        ceiling: ['fax:read', ...furtherPermissions].map((permission) => ({
          permission,
          resource_id: INSTALLATION,
        })),
        expected_policy_version: policy_version,
      },
    });
    return token;
  }

  async createMailbox(label: string) {
    const expected_policy_version = await this.policyVersion();
    return (await this.rooms.mailboxes.createMailbox({ body: { label, expected_policy_version } })).mailbox;
  }

  /** Assigns a role on a resource to a person or integration, or to a group, which has no `kind`. */
  async assignRole(
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
