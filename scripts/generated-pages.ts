import { describeCommands } from '../server/cli/describe-commands.ts';
import { PROVIDERS, providerRoutes } from '../server/composition/providers.ts';
import { createCatalog } from '../server/features/settings/catalog.ts';
import { describeCredentials, describeSettings } from '../server/features/settings/describe-settings.ts';
import { allRoutes } from '../shared/api/all.ts';
import { EVENT_PERMISSIONS } from '../shared/api/console-events.ts';
import type { RouteDefinition } from '../shared/api/route.ts';
import { AUDIT_OPERATIONS } from '../shared/audit-operations.ts';
import { ERROR_CODES, ERRORS, meaningOf } from '../shared/errors/all.ts';
import { FAX_HISTORY_KINDS, INBOUND_EVIDENCE_KINDS } from '../shared/history-kinds.ts';
import { JOB_KINDS } from '../shared/job-kinds.ts';
import { BUILT_IN_ROLES, PERMISSIONS } from '../shared/permissions.ts';
import { describeRules } from './describe-rules.ts';

const SETTINGS = createCatalog(PROVIDERS);
const NOTE = '<!-- Written by `npm run docs`; change the definitions, not this page. -->';

/** The documentation pages that come from definitions, by file name. */
export async function generatedPages(): Promise<Record<string, string>> {
  return {
    'settings.md': page(
      'Settings',
      'Change them with `faxdesk settings set NAME=value` or `PUT /admin/settings`. The environment is read when a new installation first starts; credentials are read at every start and take precedence.',
      [describeCredentials(SETTINGS), describeSettings(SETTINGS)].join('\n\n'),
    ),
    'api.md': page(
      'Routes',
      'The machine-readable description is at `/openapi.json`, an interactive page at `/docs`. Send a key in `X-API-Key`. Every refusal is `{"detail": "<one sentence>"}` with a code in the header `X-Error-Code`; programs should use the code. Changes to faxes, work items, contacts, settings, e-mail or routes can have an id of 16 to 64 letters, digits and dashes in `X-Act-Id`. If the gateway gets the same id again from the same caller within 15 minutes, it returns the first result and does nothing twice. A restart of the gateway clears these ids, so also send the version or the `Idempotency-Key` of the route.',
      [describeRoutes(), describePermissions(), describeErrors(), describeKinds()].join('\n'),
    ),
    'commands.md': page(
      'Commands',
      'From a checkout: `npm run -s faxdesk -- <words>`. Every command takes `--help` and `--json`.',
      describeCommands(),
    ),
    'rules.md': page(
      'Rules',
      'Every rule is the title of a test, written `rule (group): sentence`, and each row links the file of that test. The ten that everything rests on are in [architecture](architecture.md#ten-invariants).',
      describeRules(),
    ),
  };
}

function page(title: string, intro: string, body: string): string {
  return `${NOTE}\n\n# ${title}\n\n${intro}\n\n${body.trim()}\n`;
}

function describeRoutes(): string {
  const routes = [...allRoutes, ...providerRoutes(PROVIDERS)];
  const rooms = [...new Set(routes.map((route) => route.room))];
  return rooms
    .map((room) => {
      const rows = routes.filter((route) => route.room === room).map(describeRoute);
      return `## ${room}\n\n| Method | Path | What | Permission |\n|---|---|---|---|\n${rows.join('\n')}\n`;
    })
    .join('\n');
}

function describeRoute(route: RouteDefinition): string {
  const access =
    { public: 'none', 'signed-in': 'any credential' }[route.access as string] ?? `\`${route.access}\``;
  const words = `${route.summary}${route.deprecated ? ' (deprecated)' : ''}`;
  return `| ${route.method} | \`${route.path.replaceAll(/:(\w+)/gu, '{$1}')}\` | ${words} | ${access} |`;
}

function describePermissions(): string {
  const roles = BUILT_IN_ROLES.map((role) => role.name);
  const rows = Object.entries(PERMISSIONS).map(([permission, meaning]) => {
    const marks = BUILT_IN_ROLES.map((role) =>
      (role.permissions as readonly string[]).includes(permission) ? 'yes' : '',
    );
    return `| \`${permission}\` | ${meaning} | ${marks.join(' | ')} |`;
  });
  const line = '|---'.repeat(roles.length + 2);
  return `## Permissions\n\n| Permission | Meaning | ${roles.join(' | ')} |\n${line}|\n${rows.join('\n')}\n`;
}

function describeErrors(): string {
  const rows = ERROR_CODES.map((code) => `| \`${code}\` | ${ERRORS[code].status} | ${meaningOf(code)} |`);
  return `## Error codes\n\nWhich of them a route can answer is in \`/openapi.json\`. A code keeps its name and its status.\n\n| Code | Status | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** The words that histories, the work and the security audit are written in. */
function describeKinds(): string {
  const listed = (kinds: readonly string[]) => kinds.map((kind) => `\`${kind}\``).join(', ');
  const words = (kinds: Readonly<Record<string, string>>) =>
    Object.entries(kinds)
      .map(([kind, meaning]) => `| \`${kind}\` | ${meaning} |`)
      .join('\n');
  const events = Object.entries(EVENT_PERMISSIONS).map(
    ([kind, permission]) => `| \`${kind}\` | ${permission === null ? 'none' : `\`${permission}\``} |`,
  );
  return [
    `## Kinds\n\nHistory of a sent fax: ${listed(FAX_HISTORY_KINDS)}.\n\nEvidence of a received fax: ${listed(INBOUND_EVIDENCE_KINDS)}.`,
    `| Event of \`/console/events\` | Permission |\n|---|---|\n${events.join('\n')}`,
    `| Background work | Meaning |\n|---|---|\n${words(JOB_KINDS)}`,
    `| Operation of the security audit | Meaning |\n|---|---|\n${words(AUDIT_OPERATIONS)}`,
  ].join('\n\n');
}
