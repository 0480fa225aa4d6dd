import { AccessOffice } from '../setup/access-office.ts';
import type { TestGateway } from '../setup/gateway.ts';

/** What is looked at more closely. */
interface Looked {
  readonly personId: string;
  readonly groupId: string;
  readonly integrationId: string;
}

/** The people, groups, mailboxes, keys and devices of a small clinic. */
export async function fillAccess(desk: TestGateway): Promise<Looked> {
  const office = new AccessOffice(desk);
  const roles = (await office.get('/access/roles')).items as { id: string; name: string; version: number }[];
  const role = (name: string) => {
    const found = roles.find((it) => it.name === name);
    if (!found) throw new Error(`there is no role ${name}`);
    return found;
  };
  const triage = await office.role('Triage', [
    'inbound:list',
    'inbound:read',
    'inbound:document',
    'fax:read',
  ]);
  const cardiology = await office.mailbox('Cardiology');
  const records = await office.mailbox('Records');
  await office.rule('+15035550119', records);
  await office.rule('+15035550120', cardiology);
  const desks = await office.group('Front desk');
  const nurses = await office.group('Cardiology nurses');
  const june = await office.person('june', 'June Castellanos');
  const omar = await office.person('omar', 'Omar Haddad');
  const lena = await office.person('lena', 'Lena Fischer');
  for (const [group, person] of [
    [desks, june],
    [nurses, june],
    [desks, omar],
    [nurses, lena],
  ] as const) {
    const { group: now } = await office.get(`/access/groups/${group.id}`);
    await office.join(now, person);
  }
  const inGroup = async (group: { id: string }) => (await office.get(`/access/groups/${group.id}`)).group;
  await office.assign(await inGroup(desks), role('Fax Operator'), `mailbox:${records.id}`, 'group');
  await office.assign(await inGroup(nurses), triage, `mailbox:${cardiology.id}`, 'group');
  await office.assign(june, role('Auditor'));
  const system = await office.integration('Practice system');
  await office.assign(system, role('Fax Operator'));
  await office.key(system, ['fax:send', 'fax:read'], { name: 'Referrals' });
  await office.key(system, ['inbound:list', 'inbound:read', 'inbound:document'], {
    name: 'Results import',
    expires_at: '2026-12-31T23:00:00.000Z',
  });
  await pair(desk, 'Phone of Mara');
  return { personId: june.id, groupId: desks.id, integrationId: system.id };
}

/** As the device itself does with the code that its owner reads from the window. */
async function pair(desk: TestGateway, device_name: string): Promise<void> {
  const made = await desk.request('POST', '/admin/tunnel/pair', { json: { device_name } });
  const { code } = (await made.json()) as { code: string };
  const paired = await desk.request('POST', '/mobile/pair', { key: null, json: { code } });
  if (!paired.ok) throw new Error(`${paired.status} ${await paired.text()}`);
}
