import { describeCommands } from '../server/cli/describe-commands.ts';
import { describeSettings } from '../server/features/settings/describe-settings.ts';
import { allRoutes } from '../shared/api/all.ts';
import type { RouteDefinition } from '../shared/api/route.ts';
import { BUILT_IN_ROLES, PERMISSIONS } from '../shared/permissions.ts';

const NOTE = '<!-- Written by `npm run docs`; change the definitions, not this page. -->';

/** The documentation pages that come from definitions, by file name. */
export async function generatedPages(): Promise<Record<string, string>> {
  return {
    'settings.md': page(
      'Settings',
      'Change them with `faxdesk settings set NAME=value` or `PUT /admin/settings`. The environment is read when a new installation first starts; credentials are read at every start and take precedence.',
      describeSettings(),
    ),
    'api.md': page(
      'Routes',
      'The machine-readable description is at `/openapi.json`, an interactive page at `/docs`. Send a key in `X-API-Key`. Every refusal is `{"detail": "<one sentence>"}`.',
      `${describeRoutes()}\n${describePermissions()}`,
    ),
    'commands.md': page(
      'Commands',
      'From a checkout: `npm run -s faxdesk -- <words>`. Every command takes `--help` and `--json`.',
      describeCommands(),
    ),
  };
}

function page(title: string, intro: string, body: string): string {
  return `${NOTE}\n\n# ${title}\n\n${intro}\n\n${body.trim()}\n`;
}

function describeRoutes(): string {
  const rooms = [...new Set(allRoutes.map((route) => route.room))];
  return rooms
    .map((room) => {
      const rows = allRoutes.filter((route) => route.room === room).map(describeRoute);
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
