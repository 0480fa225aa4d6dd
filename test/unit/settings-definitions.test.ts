import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../server/composition/providers.ts';
import { createCatalog } from '../../server/features/settings/catalog.ts';
import { describeSettings } from '../../server/features/settings/describe-settings.ts';
import { fixedSettings } from '../../server/features/settings/fixed-settings.ts';
import type { Settings } from '../../server/features/settings/service.ts';
import { BACKEND_NAMES } from '../setup/backend-names.ts';

const catalog = createCatalog(PROVIDERS);

describe('the definitions of settings', () => {
  it.each(catalog.names)('%s has plain words, and a default that fits its own schema', (name) => {
    const definition = catalog.definitionOf(name);
    expect(name).toMatch(/^[A-Z][A-Z\d_]+$/u);
    expect(definition.label).toMatch(/^[A-Z].{2,40}[^.]$/u);
    expect(definition.help).toMatch(/^[A-Z].{10,200}\.$/u);
    if (definition.default !== null)
      expect(definition.schema.parse(definition.default)).toEqual(definition.default);
    expect(definition.schema.safeParse(null).success).toBe(false);
    if (definition.secret)
      expect(definition).toMatchObject({ default: null, environment: 'every start', type: 'secret' });
    expect(definition.type === 'choice').toBe(definition.choices !== null);
  });

  it('are read from the environment at later starts only where they are credentials, or the names in them', () => {
    const always = catalog.names.filter((name) => catalog.definitionOf(name).environment === 'every start');
    const notSecret = always.filter((name) => !catalog.definitionOf(name).secret);
    expect(notSecret).toEqual(['CLOUDTWO_PROJECT_ID', 'CLOUDTWO_INBOUND_BASIC_USER', 'AWS_ACCESS_KEY_ID']);
  });

  it('are understood by their older names, each meaning one setting', () => {
    expect(catalog.nameOfOlder('fax_disabled')).toBe('FAX_DISABLED');
    expect(catalog.nameOfOlder('max_file_size_mb')).toBe('MAX_FILE_SIZE_MB');
    expect(catalog.nameOfOlder('backend')).toBe('FAX_BACKEND');
    expect(catalog.nameOfOlder('constructor')).toBeNull();
    const older = catalog.names.flatMap((name) =>
      [name.toLowerCase(), catalog.definitionOf(name).alias ?? []].flat(),
    );
    expect(new Set(older).size).toBe(older.length);
  });

  it('rule (settings): a setting is defined once, and two providers cannot share a name', () => {
    expect(() => createCatalog([...PROVIDERS, ...PROVIDERS])).toThrow('is defined twice');
  });

  it('begin with no provider, every key required and nothing written to an audit log', () => {
    expect(catalog.defaults()).toMatchObject({
      FAX_BACKEND: null,
      FAX_DISABLED: false,
      FAX_DEFAULT_COUNTRY: 'US',
      MAX_FILE_SIZE_MB: 25,
      CLOUDONE_VERIFY_SIGNATURE: true,
      SERVICE_ALLOW_INSECURE_HTTP_SESSIONS: false,
      PDF_TOKEN_TTL_MINUTES: 60,
      ARTIFACT_TTL_DAYS: 0,
      CLEANUP_INTERVAL_MINUTES: 1440,
      MAX_REQUESTS_PER_MINUTE: 0,
      AUDIT_LOG_ENABLED: false,
      AUDIT_LOG_FORMAT: 'json',
    });
  });
});

describe('fixed settings', () => {
  it('give typed values with defaults', () => {
    const settings: Settings = fixedSettings({ FAX_BACKEND: 'cloudone' });
    const backend: string | null = settings.get('FAX_BACKEND');
    const size: number = settings.get('MAX_FILE_SIZE_MB');
    const origins: readonly string[] = settings.get('ALLOWED_ORIGINS');
    expect([backend, size, origins]).toEqual(['cloudone', 25, []]);
    settings.onChange(() => undefined)();
    expect(settings.snapshot().generation).toBe(1);
    // @ts-expect-error: there is no such setting
    expect(settings.get('NOPE')).toBeUndefined();
  });
});

describe('the description of settings', () => {
  it('has a row for every setting with its default, meaning and environment rule', () => {
    const text = describeSettings(catalog);
    const rows = text.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(catalog.names.length);
    for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(8);
    expect(text).toContain('| `FAX_BACKEND` | none |');
    expect(text).toContain(`One of ${BACKEND_NAMES.map((name) => `\`${name}\``).join(', ')}.`);
    expect(text).toMatch(/`CLOUDONE_API_SECRET` .* \| no \| yes \| every start, takes precedence \|/u);
  });
});
