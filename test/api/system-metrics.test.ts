import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/source-tree.ts';
import { RELEASE } from '../../server/config/release.ts';
import { DELIVERY_STATES } from '../../shared/states/outbound.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { WorkGateway } from './work-setup.ts';

/** Figures by name and labels, as `name{label="value"}`. */
type Figures = ReadonlyMap<string, number>;

let work: WorkGateway;
beforeAll(async () => {
  const settings = { HTTPS_ENABLED: 'true', HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0', FAX_DISABLED: 'true' };
  work = await WorkGateway.start({ settings });
});
afterAll(() => work.close());

const gateway = () => work.inbound.gateway;

async function scrape(): Promise<Figures> {
  const text = await (await gateway().request('GET', '/metrics')).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const nowS = () => work.clock.now() / 1000;

describe('the figures of a gateway', () => {
  test('say which release runs, on which database and disk', async () => {
    const figures = await scrape();
    const database = 'sqlite';
    expect(
      figures.get(
        `faxdesk_build_info{release="${RELEASE}",database="${database}",node="${process.version}"}`,
      ),
    ).toBe(1);
    const free = figures.get('faxdesk_disk_free_bytes') ?? 0;
    expect(free).toBeGreaterThan(0);
    expect(figures.get('faxdesk_disk_size_bytes')).toBeGreaterThan(free);
    expect(figures.get('faxdesk_store_bytes')).toBeGreaterThan(0);
    expect(figures.get('faxdesk_problems')).toBe(0);
  });

  test('count the warnings that System shows', async () => {
    const ready = (await (await gateway().request('GET', '/health/ready')).json()) as { warnings: string[] };
    expect(ready.warnings.length).toBeGreaterThan(0);
    expect((await scrape()).get('faxdesk_warnings')).toBe(ready.warnings.length);
  });

  test('have the time of the newest backup', async () => {
    await gateway().makeBackup();
    expect((await scrape()).get('faxdesk_last_backup_timestamp_seconds')).toBe(nowS());
    work.clock.advance(HOUR);
    expect((await scrape()).get('faxdesk_last_backup_timestamp_seconds')).toBe(nowS() - HOUR / 1000);
  });

  test('have the ends of the certificates', async () => {
    const figures = await scrape();
    const ends = ['server', 'root'].map(
      (name) => figures.get(`faxdesk_certificate_end_timestamp_seconds{certificate="${name}"}`) ?? 0,
    );
    for (const end of ends) expect(end).toBeGreaterThan(nowS() + DAY / 1000);
    expect(ends[1]).toBeGreaterThan(ends[0] ?? 0);
  });

  test('have the age of the oldest fax in each open state', async () => {
    await gateway().send();
    work.clock.advance(2 * MINUTE);
    await gateway().send();
    work.clock.advance(MINUTE);
    const held = 'faxdesk_oldest_fax_age_seconds{state="held"}';
    expect((await scrape()).get(held)).toBe((3 * MINUTE) / 1000);
    expect([...(await scrape()).keys()].filter((name) => name.includes('oldest_fax'))).toEqual([held]);
  });

  test('count overdue work items', async () => {
    await work.setMailbox('ward', { acknowledge_hours: 1 });
    await work.arrive('ward');
    expect((await scrape()).get('faxdesk_work_items_overdue')).toBe(0);
    work.clock.advance(2 * HOUR);
    expect((await scrape()).get('faxdesk_work_items_overdue')).toBe(1);
  });

  test('have the time for which due work has waited', async () => {
    await work.process();
    work.clock.advance(DAY);
    const delays = [...(await scrape())].filter(([name]) => name.startsWith('faxdesk_job_delay_seconds'));
    expect(delays.length).toBeGreaterThan(0);
    for (const [, delay] of delays) expect(delay).toBeLessThanOrEqual(DAY / 1000);
    await work.process();
    expect([...(await scrape()).keys()].filter((name) => name.startsWith('faxdesk_job_delay'))).toEqual([]);
  });
});

test.each(['monitoring.md', 'monitoring/faxdesk-alerts.yml', 'monitoring/faxdesk-dashboard.json'])(
  '%s names figures that the gateway has',
  async (page) => {
    // Work that is due, and a refused callback.
    work.clock.advance(DAY);
    await gateway().request('POST', '/cloudtwo-callback?job_id=a&attempt_id=b', { key: null });
    const names = new Set([...(await scrape()).keys()].map((name) => name.replace(/\{.*/u, '')));
    const text = await readFile(join(ROOT, 'docs', page), 'utf8');
    const named = new Set(text.match(/\bfaxdesk_[a-z_]*[a-z]/gu));
    // A histogram has them with an ending each.
    const wrong = [...named].filter((name) => !names.has(name) && !names.has(`${name}_bucket`));
    expect(wrong).toEqual([]);
    expect(named.size).toBeGreaterThan(9);
  },
);

/** Values that a label of a figure can have. */
const LABEL_VALUES: Readonly<Record<string, readonly string[]>> = {
  'faxdesk_faxes state': DELIVERY_STATES,
  'faxdesk_oldest_fax_age_seconds state': DELIVERY_STATES,
  // Prometheus adds it; the page about monitoring names it.
  'up job': ['faxdesk'],
  'process_resident_memory_bytes job': ['faxdesk'],
};

/** Lists what an expression selects by, as `figure label value`. */
function selectedIn(expression: string): { label: string; value: string }[] {
  return [...expression.matchAll(/([a-z_:]+)\{([^}]*)\}/gu)].flatMap(([, figure, matchers = '']) =>
    [...matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/gu)].flatMap(([, label, values = '']) =>
      values.split('|').map((value) => ({ label: `${figure} ${label}`, value })),
    ),
  );
}

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

async function readRules(): Promise<AlertRule[]> {
  const text = await readFile(join(ROOT, 'docs/monitoring/faxdesk-alerts.yml'), 'utf8');
  return (parse(text) as { groups: { rules: AlertRule[] }[] }).groups.flatMap(({ rules }) => rules);
}

test('the alert rules and the dashboard select by values that labels can have', async () => {
  const dashboard = await readFile(join(ROOT, 'docs/monitoring/faxdesk-dashboard.json'), 'utf8');
  const inDashboard: string[] = [];
  JSON.parse(dashboard, (key, value: unknown) => {
    if (key === 'expr') inDashboard.push(String(value));
    return value;
  });
  const inRules = (await readRules()).map(({ expr }) => expr);
  expect([inRules.length, inDashboard.length].every((count) => count > 5)).toBe(true);
  const selected = [...inRules, ...inDashboard].flatMap(selectedIn);
  expect(selected.length).toBeGreaterThan(3);
  expect(selected.filter(({ label, value }) => !LABEL_VALUES[label]?.includes(value))).toEqual([]);
});

test('each alert rule is whole, and its words use labels of its figure', async () => {
  const rules = await readRules();
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  work.clock.advance(DAY);
  await gateway().send();
  const figures = [...(await scrape()).keys()];
  for (const rule of rules) {
    expect(rule.labels['severity'], rule.alert).toMatch(/^(?:page|ticket)$/u);
    expect(rule.for ?? '1m', rule.alert).toMatch(/^\d+[mh]$/u);
    const words = Object.values(rule.annotations).join(' ');
    expect(Object.keys(rule.annotations), rule.alert).toEqual(['summary', 'description']);
    const named = rule.expr.match(/\bfaxdesk_[a-z_]*[a-z]/gu) ?? [];
    const labeled = figures.filter((figure) => named.some((name) => figure.startsWith(`${name}{`))).join(' ');
    for (const [, label] of words.matchAll(/\$labels\.(\w+)/gu))
      expect(labeled, `${rule.alert} ${label}`).toContain(`${label}="`);
  }
});
