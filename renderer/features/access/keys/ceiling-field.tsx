import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import {
  INSTALLATION,
  isPermission,
  opensSomething,
  type Permission,
} from '../../../../shared/permissions.ts';
import { useMe } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { placeName, usePlaces } from '../lists/places.ts';
import { PermissionChoice } from '../roles/permission-choice.tsx';
import { byPlace, type CeilingEntry, type Rights } from './key-queries.ts';
import styles from './keys.module.css';

const words = t.access.key;

export interface CeilingPlace {
  /** Stays while the place is changed. */
  readonly slot: number;
  readonly placeId: string;
  readonly permissions: ReadonlySet<Permission>;
}

export type Ceiling = readonly CeilingPlace[];

export function useCeiling(entries: readonly CeilingEntry[]) {
  return useState<Ceiling>(() => ceilingFrom(entries));
}

function ceilingFrom(entries: readonly CeilingEntry[]): Ceiling {
  const places = byPlace(entries).map(({ placeId, permissions }, slot) => ({
    slot,
    placeId,
    permissions: new Set(permissions.filter(isPermission)),
  }));
  return places.length > 0 ? places : [{ slot: 0, placeId: INSTALLATION, permissions: new Set() }];
}

/** What a key may do at most: place by place, with a word where its owner may not do it anyway. */
export function CeilingField(props: {
  ceiling: Ceiling;
  onChange: (ceiling: Ceiling) => void;
  /** Of whom the key will be. */
  owner: { name: string; rights: Rights | null } | null;
}) {
  const { ceiling, onChange, owner } = props;
  const places = usePlaces().filter(({ kind }) => kind !== 'legacy');
  const free = places.filter(({ id }) => !ceiling.some(({ placeId }) => placeId === id));
  const set = (index: number, next: CeilingPlace | null) =>
    onChange(ceiling.flatMap((it, at) => (at === index ? (next ?? []) : it)));
  const add = () => {
    const slot = Math.max(...ceiling.map((place) => place.slot)) + 1;
    onChange([...ceiling, { slot, placeId: free[0]?.id ?? INSTALLATION, permissions: new Set() }]);
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
      {ceiling.map((place, index) => (
        <PlaceBlock
          key={place.slot}
          place={place}
          places={places.filter(({ id }) => id === place.placeId || free.some((it) => it.id === id))}
          owner={owner}
          offersAll={offersAll}
          isOnly={ceiling.length === 1}
          onChange={(next) => set(index, next)}
        />
      ))}
      {free.length > 0 && ceiling.length < LIMITS.ceilingResources && (
        <div>
          <Button icon="plus" onPress={add}>
            {words.anotherPlace}
          </Button>
        </div>
      )}
    </section>
  );
}

function PlaceBlock(props: {
  place: CeilingPlace;
  places: ReturnType<typeof usePlaces>;
  owner: { name: string; rights: Rights | null } | null;
  /** Also what the owner may not do. */
  offersAll: boolean;
  isOnly: boolean;
  onChange: (place: CeilingPlace | null) => void;
}) {
  const { place, places, owner, offersAll, isOnly, onChange } = props;
  const grantable = useMe()?.grantable.installation ?? [];
  const name = places.find(({ id }) => id === place.placeId);
  const isEverywhere = place.placeId === INSTALLATION;
  const label = name ? placeName(name) : words.place;
  const isTheirs = (permission: Permission) =>
    !owner?.rights || owner.rights.mayDo(permission, place.placeId);
  const note = (permission: Permission) => {
    if (isEverywhere && !grantable.includes(permission)) return words.notYours;
    if (isTheirs(permission) || !place.permissions.has(permission) || !owner) return null;
    return words.ownerMayNot(owner.name);
  };
  return (
    <div className={styles['place']} role="group" aria-label={label}>
      <div className={styles['where']}>
        <div className={styles['which']}>
          <Choice
            label={words.place}
            value={place.placeId}
            onChange={(placeId) => onChange({ ...place, placeId })}
            options={places.map((it) => ({ id: it.id, label: placeName(it) }))}
          />
        </div>
        {!isOnly && (
          <span className={styles['remove']}>
            <IconButton icon="close" label={words.removePlace(label)} onPress={() => onChange(null)} />
          </span>
        )}
      </div>
      <PermissionChoice
        label={words.mayThere(label)}
        chosen={place.permissions}
        onChange={(permissions) => onChange({ ...place, permissions })}
        offers={(permission) =>
          opensSomething(permission, place.placeId) && (offersAll || isTheirs(permission))
        }
        note={note}
      />
    </div>
  );
}
