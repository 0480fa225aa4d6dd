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
import { LIMITS } from '../shared/limits.ts';
import { BUILT_IN_ROLES, PERMISSIONS } from '../shared/permissions.ts';
import { describeCollection, describeCurl } from './describe-calls.ts';
import { describeChanges } from './describe-changes.ts';
import { describeRules } from './describe-rules.ts';

const SETTINGS = createCatalog(PROVIDERS);
const NOTE = '<!-- Written by `npm run docs`; change the definitions, not this page. -->';

/** Conventions of all routes. */
const ROUTES_INTRODUCTION = [
  'The machine-readable description is at `/openapi.json`, that of the routes that only the console’s window can call at `/openapi-console.json`, an interactive page of both at `/docs`. Send a key in `X-API-Key`, or as `Authorization: Bearer`. Every refusal is `{"detail": "<one sentence>"}` with a code in the header `X-Error-Code`; programs should use the code. Every response has `X-Request-Id`, which is also in the log.',
  '',
  '**Query parameters** that do not exist are refused (400) with those that do. Routes of earlier releases ignore them and list them in `X-Ignored`.',
  '',
  `**Repeats.** Every change can have an \`Idempotency-Key\` of 1 to 128 visible ASCII characters, a new one for each change. A request with the same key and content gets the first answer again, with the header \`Idempotency-Replayed: true\`, and nothing is done twice, also after a crash; with other content it is refused (409 \`idempotency_key_reused\`). A key counts for the API key that sent it, or for the signed-in person, and for ${LIMITS.answersKeptHours} hours; for \`POST /fax\` and \`POST /fax/{id}/resend\` it counts for the owner of the API key, as long as the fax is kept. A refused request did nothing and can be sent again under its key. \`GET /fax?idempotency_key=\` finds the fax of a key. The console sends \`X-Act-Id\` for the same purpose.`,
  '',
  '**Limits.** Where requests are limited, `RateLimit` has the requests left (`r`) and the seconds until there are more (`t`), `RateLimit-Policy` the requests (`q`) in a number of seconds (`w`); a 429 also has `Retry-After`.',
  '',
  '**Documents** and images of pages have an `ETag` (the SHA-256 of the bytes) and `Accept-Ranges`: `If-None-Match` answers 304, `Range` one part (206).',
  '',
  '**Pages of other origins** can call the API with a key if `ALLOWED_ORIGINS` lists their origin. Cookies never count there.',
].join('\n');

/** The documentation pages that come from definitions, by file name. */
export async function generatedPages(): Promise<Record<string, string>> {
  return {
    'settings.md': page(
      'Settings',
      'Change them with `faxdesk settings change NAME=value` or `PUT /admin/settings`. The environment is read when a new installation first starts; credentials are read at every start and take precedence.',
      [describeCredentials(SETTINGS), describeSettings(SETTINGS)].join('\n\n'),
    ),
    'api.md': page(
      'Routes',
      ROUTES_INTRODUCTION,
      [describeRoutes(), describePermissions(), describeErrors(), describeKinds()].join('\n'),
    ),
    'curl.md': page(
      'Calls with curl',
      'Each call was run in a test, with other ids. Set the address and a key first: `export FAXDESK=http://127.0.0.1:8080 FAXDESK_KEY=key_live_...`. The same calls for Postman, Bruno and other programs are in [faxdesk.postman_collection.json](faxdesk.postman_collection.json); the answers are on the page `/docs` of the gateway.',
      describeCurl(),
    ),
    'faxdesk.postman_collection.json': describeCollection(),
    'api-changes.md': page(
      'Changes of the API',
      'Made from the differences of the contract. What would break a program is marked, with its reason.',
      describeChanges(),
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
