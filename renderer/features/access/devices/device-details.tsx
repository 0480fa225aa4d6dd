import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DEVICE_PERMISSIONS } from '../../../../shared/api/pairing.ts';
import { access } from '../../../api/access.ts';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { formatFully } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { Details, DetailsFacts, DetailsLine, DetailsSection, DetailsTop } from '../details/details.tsx';
import { PermissionList } from '../roles/permission-list.tsx';
import { type Device, deviceName } from './device-queries.ts';

const words = t.access.device;

/** One paired device, and how it is locked out when it is lost. */
export function DeviceDetails(props: { device: Device; policyVersion: number; onClose: () => void }) {
  const { device, policyVersion, onClose } = props;
  const mayRemove = usePermission('users:manage');
  const maySeeKeys = usePermission('keys:manage');
  const [isAsked, setAsked] = useState(false);
  const name = deviceName(device);
  const removing = useChange(
    () =>
      access.people.changeIntegration({
        params: { id: device.id },
        body: { enabled: false, version: device.version, expected_policy_version: policyVersion },
      }),
    () => {
      announce(words.saidRemoved);
      onClose();
    },
  );
  return (
    <Details label={words.details} title={name} close={t.access.rows.close} onClose={onClose}>
      <DetailsTop>
        {mayRemove && !isAsked && (
          <DetailsLine>
            <Button onPress={() => setAsked(true)}>{words.remove}</Button>
          </DetailsLine>
        )}
        {isAsked && (
          <Question
            title={words.removeTitle(name)}
            sentence={words.removeSentence}
            yes={words.removeYes}
            no={words.keep}
            change={removing}
            onYes={() => removing.run(undefined)}
            onNo={() => setAsked(false)}
          />
        )}
      </DetailsTop>
      <DetailsSection title={words.facts}>
        <DetailsFacts
          facts={[
            [words.paired, formatFully(device.created_at)],
            [words.used, device.last_seen_at === null ? words.never : formatFully(device.last_seen_at)],
          ]}
        />
        {maySeeKeys && (
          <Link
            to="/access/{-$part}/{-$id}"
            params={{ part: 'keys', id: undefined }}
            search={{ of: device.id }}
          >
            {words.itsKey}
          </Link>
        )}
      </DetailsSection>
      <DetailsSection title={words.may}>
        <PermissionList permissions={DEVICE_PERMISSIONS} />
      </DetailsSection>
    </Details>
  );
}
