/** Why a resource was not fetched; callers read it in the warning `resource_blocked`. */
export type BlockReason =
  /** Not an absolute address. */
  | 'address_unusable'
  /** Not https. */
  | 'not_https'
  /** A user name or password in the address. */
  | 'credentials'
  /** Not on the operator's list of allowed hosts. */
  | 'host_not_allowed'
  /** The name resolves to this machine or a private network, or the port is not 443. */
  | 'not_public'
  /** The name is unknown, the server is not responding, or its certificate is not valid. */
  | 'unreachable'
  | 'too_many_redirects'
  /** A status other than 200, or a compressed body. */
  | 'bad_answer'
  | 'too_large'
  | 'too_slow'
  /** Not one of the accepted kinds of media, by its bytes. */
  | 'wrong_type'
  /** The document refers to more resources than it may. */
  | 'too_many';

/** Thrown for every resource that is not fetched. */
export class AssetBlocked extends Error {
  readonly reason: BlockReason;

  constructor(reason: BlockReason, cause?: unknown) {
    super(reason, { cause });
    this.name = 'AssetBlocked';
    this.reason = reason;
  }
}
