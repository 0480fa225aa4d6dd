import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { hasEffectOn, INSTALLATION, isPermission, type Permission } from '../../../../shared/permissions.ts';
import { useMe } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { resourceName, useResources } from '../lists/resources.ts';
import { PermissionChoice } from '../roles/permission-choice.tsx';
import { byResource, type CeilingEntry, type Rights } from './key-queries.ts';
import styles from './keys.module.css';

const words = t.access.key;

interface CeilingResource {
  /** Stays while the resource is changed. */
  readonly slot: number;
  readonly resourceId: string;
  readonly permissions: ReadonlySet<Permission>;
}

type Ceiling = readonly CeilingResource[];

export function useCeiling(entries: readonly CeilingEntry[]) {
  return useState<Ceiling>(() => ceilingFrom(entries));
}

function ceilingFrom(entries: readonly CeilingEntry[]): Ceiling {
  const resources = byResource(entries).map(({ resourceId, permissions }, slot) => ({
    slot,
    resourceId,
    permissions: new Set(permissions.filter(isPermission)),
  }));
  return resources.length > 0 ? resources : [{ slot: 0, resourceId: INSTALLATION, permissions: new Set() }];
}

/** Field for the maximum rights of a key, resource by resource. Marks those its owner does not have. */
export function CeilingField(props: {
  ceiling: Ceiling;
  onChange: (ceiling: Ceiling) => void;
  /** Of whom the key will be. */
  owner: { name: string; rights: Rights | null } | null;
}) {
  const { ceiling, onChange, owner } = props;
  const resources = useResources().filter(({ kind }) => kind !== 'legacy');
  const free = resources.filter(({ id }) => !ceiling.some(({ resourceId }) => resourceId === id));
  const set = (index: number, next: CeilingResource | null) =>
    onChange(ceiling.flatMap((it, at) => (at === index ? (next ?? []) : it)));
  const add = () => {
    const slot = Math.max(...ceiling.map((resource) => resource.slot)) + 1;
    onChange([...ceiling, { slot, resourceId: free[0]?.id ?? INSTALLATION, permissions: new Set() }]);
  };
  const entries = owner?.rights?.entries ?? [];
  const [isWhole, setWhole] = useState(false);
  const offersAll = isWhole || entries.length === 0;
  return (
    <section className={styles['ceiling']} aria-label={words.mayAtMost}>
      <div>
        <h3 className={styles['heading']}>{words.mayAtMost}</h3>
        <p className={styles['quiet']}>{owner ? words.cut(owner.name) : words.cutAnybody}</p>
        {owner && owner.rights !== null && entries.length === 0 && (
          <p className={styles['quiet']}>{words.ownerMayNothing(owner.name)}</p>
        )}
      </div>
      {owner && entries.length > 0 && (
        <div className={styles['ways']}>
          <Button variant="link" onPress={() => onChange(ceilingFrom(entries))}>
            {words.takeAll(owner.name)}
          </Button>
          <Button variant="link" onPress={() => setWhole(!isWhole)}>
            {isWhole ? words.showTheirs(owner.name) : words.showRest(owner.name)}
          </Button>
        </div>
      )}
      {ceiling.map((resource, index) => (
        <ResourceBlock
          key={resource.slot}
          resource={resource}
          resources={resources.filter(
            ({ id }) => id === resource.resourceId || free.some((it) => it.id === id),
          )}
          owner={owner}
          offersAll={offersAll}
          isOnly={ceiling.length === 1}
          onChange={(next) => set(index, next)}
        />
      ))}
      {free.length > 0 && ceiling.length < LIMITS.ceilingResources && (
        <div>
          <Button icon="plus" onPress={add}>
            {words.anotherResource}
          </Button>
        </div>
      )}
    </section>
  );
}

function ResourceBlock(props: {
  resource: CeilingResource;
  resources: ReturnType<typeof useResources>;
  owner: { name: string; rights: Rights | null } | null;
  /** Also what the owner may not do. */
  offersAll: boolean;
  isOnly: boolean;
  onChange: (resource: CeilingResource | null) => void;
}) {
  const { resource, resources, owner, offersAll, isOnly, onChange } = props;
  const grantable = useMe()?.grantable.installation ?? [];
  const name = resources.find(({ id }) => id === resource.resourceId);
  const isEverywhere = resource.resourceId === INSTALLATION;
  const label = name ? resourceName(name) : words.resource;
  const isTheirs = (permission: Permission) =>
    !owner?.rights || owner.rights.mayDo(permission, resource.resourceId);
  const note = (permission: Permission) => {
    if (isEverywhere && !grantable.includes(permission)) return words.notYours;
    if (isTheirs(permission) || !resource.permissions.has(permission) || !owner) return null;
    return words.ownerMayNot(owner.name);
  };
  return (
    <div className={styles['resource']} role="group" aria-label={label}>
      <div className={styles['where']}>
        <div className={styles['which']}>
          <Choice
            label={words.resource}
            value={resource.resourceId}
            onChange={(resourceId) => onChange({ ...resource, resourceId })}
            options={resources.map((it) => ({ id: it.id, label: resourceName(it) }))}
          />
        </div>
        {!isOnly && (
          <span className={styles['remove']}>
            <IconButton icon="close" label={words.removeResource(label)} onPress={() => onChange(null)} />
          </span>
        )}
      </div>
      <PermissionChoice
        label={words.mayThere(label)}
        chosen={resource.permissions}
        onChange={(permissions) => onChange({ ...resource, permissions })}
        offers={(permission) =>
          hasEffectOn(permission, resource.resourceId) && (offersAll || isTheirs(permission))
        }
        note={note}
      />
    </div>
  );
}
