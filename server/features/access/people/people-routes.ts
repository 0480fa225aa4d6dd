import { peopleRoutes as routes } from '../../../../shared/api/access-people.ts';
import { type ServedRoute, serve } from '../../../http/handler.ts';
import { searchTerms } from '../../../platform/search-text.ts';
import { actorOf } from '../service.ts';
import { hasSecondFactor, type People, type Person, type PersonDetails } from './people.ts';
import type { PersonChanges } from './person-changes.ts';

interface PeopleRouteParts {
  readonly people: People;
  readonly personChanges: PersonChanges;
}

/** People and integrations. */
export function peopleServedRoutes(parts: PeopleRouteParts): ServedRoute[] {
  const { people } = parts;
  return [
    serve(routes.listUsers, async ({ query: { kind, q = '', ...page } }) =>
      pageAnswer(await people.list({ ...page, texts: searchTerms(q), kind: kind === 'all' ? null : kind })),
    ),
    serve(routes.createUser, async ({ caller, body }) => {
      const { login, display_name: displayName, enabled, expected_policy_version: expectedVersion } = body;
      const person = { login, displayName, enabled, expectedVersion };
      const created = await people.createUser(actorOf(caller), person);
      return { ...changed(created), temporary_password: created.temporaryPassword };
    }),
    serve(routes.getUser, async ({ params }) => detailsAnswer(await people.get(params.id))),
    serve(routes.listIntegrations, async ({ query: { q = '', ...page } }) =>
      pageAnswer(await people.list({ ...page, texts: searchTerms(q), kind: 'integration' })),
    ),
    serve(routes.createIntegration, async ({ caller, body }) => {
      const { display_name: displayName, enabled, expected_policy_version: expectedVersion } = body;
      const integration = { displayName, enabled, expectedVersion };
      return changed(await people.createIntegration(actorOf(caller), integration));
    }),
    ...changeRoutes(parts),
  ];
}

function changeRoutes({ personChanges }: PeopleRouteParts): ServedRoute[] {
  return [
    serve(routes.changeUser, async ({ caller, params, body }) => {
      const { display_name, login, enabled } = body;
      const patch = { display_name, login, enabled };
      return changed(await personChanges.change(actorOf(caller), itemOf(params, body), patch));
    }),
    serve(routes.changeIntegration, async ({ caller, params, body }) => {
      const { display_name, enabled } = body;
      const actor = actorOf(caller);
      const patch = { display_name, enabled };
      return changed(await personChanges.changeIntegration(actor, itemOf(params, body), patch));
    }),
    serve(routes.resetPassword, async ({ caller, params, body }) => {
      const reset = await personChanges.resetPassword(actorOf(caller), itemOf(params, body));
      return { ...changed(reset), temporary_password: reset.temporaryPassword };
    }),
    serve(routes.resetTwoFactor, async ({ caller, params, body }) =>
      changed(await personChanges.resetTwoFactor(actorOf(caller), itemOf(params, body))),
    ),
    serve(routes.resetQuickSignIn, async ({ caller, params, body }) =>
      changed(await personChanges.resetQuickSignIn(actorOf(caller), itemOf(params, body))),
    ),
  ];
}

function itemOf({ id }: { id: string }, body: { version: number; expected_policy_version: number }) {
  return { id, version: body.version, expectedVersion: body.expected_policy_version };
}

function pageAnswer(page: Awaited<ReturnType<People['list']>>) {
  const { items, next_cursor, policyVersion } = page;
  return { items: items.map(personAnswer), next_cursor, policy_version: policyVersion };
}

function detailsAnswer({ person, groups, effective, policyVersion }: PersonDetails) {
  return {
    user: personAnswer(person),
    groups: groups.map(({ id, version, group_id, name, enabled, group_version }) => ({
      membership_id: id,
      membership_version: version,
      group: { id: group_id, name, enabled: enabled === 1, version: group_version },
    })),
    effective,
    policy_version: policyVersion,
  };
}

function changed({ result, policyVersion }: { result: Person; policyVersion: number }) {
  return { user: personAnswer(result), policy_version: policyVersion };
}

function personAnswer(person: Person) {
  return {
    id: person.id,
    kind: person.kind,
    login: person.login,
    display_name: person.display_name,
    enabled: person.enabled === 1,
    password_change_required: person.password_change_required === 1,
    two_factor: hasSecondFactor(person),
    quick_sign_in: person.quick_sign_in,
    last_seen_at: person.last_seen_at,
    version: person.version,
    created_at: person.created_at,
    updated_at: person.updated_at,
  };
}
