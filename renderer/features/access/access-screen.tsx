import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { loadPart } from '../../api/load-part.ts';
import { useMe } from '../../api/queries.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/access.ts';
import { Waits } from '../../ui/focus/waits.tsx';
import { Subnav } from '../../ui/subnav.tsx';
import { type AccessPart, type PartProps, partsFor } from './part-names.ts';

const PARTS: Readonly<Record<AccessPart, ComponentType<PartProps>>> = {
  people: lazy(async () => ({
    default: (await loadPart(() => import('./people/people-part.tsx'))).PeoplePart,
  })),
  integrations: lazy(async () => ({
    default: (await loadPart(() => import('./people/people-part.tsx'))).IntegrationsPart,
  })),
  groups: lazy(async () => ({
    default: (await loadPart(() => import('./groups/groups-part.tsx'))).GroupsPart,
  })),
  roles: lazy(async () => ({ default: (await loadPart(() => import('./roles/roles-part.tsx'))).RolesPart })),
  assignments: lazy(async () => ({
    default: (await loadPart(() => import('./assignments/assignments-part.tsx'))).AssignmentsPart,
  })),
  keys: lazy(async () => ({ default: (await loadPart(() => import('./keys/keys-part.tsx'))).KeysPart })),
  webhooks: lazy(async () => ({
    default: (await loadPart(() => import('./webhooks/webhooks-part.tsx'))).WebhooksPart,
  })),
  sessions: lazy(async () => ({
    default: (await loadPart(() => import('./sessions/sessions-part.tsx'))).SessionsPart,
  })),
  mailboxes: lazy(async () => ({
    default: (await loadPart(() => import('./mailboxes/mailboxes-part.tsx'))).MailboxesPart,
  })),
  devices: lazy(async () => ({
    default: (await loadPart(() => import('./devices/devices-part.tsx'))).DevicesPart,
  })),
  audit: lazy(async () => ({ default: (await loadPart(() => import('./audit/audit-part.tsx'))).AuditPart })),
};

/** Shows people, groups, roles, keys and the rights that follow from them. */
export function AccessScreen() {
  const { part: wanted, id } = useParams({ from: '/framed/access/{-$part}/{-$id}' });
  const parts = partsFor(useMe()?.permissions ?? []);
  const shown = parts.find(({ part }) => part === wanted) ?? parts[0];
  const label = shown?.label ?? t.access.title;
  useScreenTitle(label === t.access.title ? label : `${label} · ${t.access.title}`);
  if (!shown) return null;
  const Part = PARTS[shown.part];
  return (
    <>
      <Subnav
        to="/access/{-$part}/{-$id}"
        title={t.access.title}
        label={t.access.parts}
        current={shown.part}
        entries={parts.map((it) => ({ page: it.part, label: it.label }))}
      />
      <Suspense fallback={<Waits />}>
        <Part key={shown.part} id={shown.part === wanted ? id : undefined} />
      </Suspense>
    </>
  );
}
