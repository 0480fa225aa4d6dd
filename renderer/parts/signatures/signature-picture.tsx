import { type Signature, signatureAddress } from '../../api/desk.ts';
import styles from './signatures.module.css';

/** Shows a signature or stamp in a list that names it. */
export function SignaturePicture({ id }: Pick<Signature, 'id'>) {
  return <img className={styles['picture']} src={signatureAddress(id)} alt="" loading="lazy" />;
}
