import type { Tool } from '../contract/define.ts';
import { createApiKey } from './create-api-key.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';
import { getProfile } from './get-profile.ts';
import { inviteMember } from './invite-member.ts';
import { listAccounts } from './list-accounts.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listConnectedApps } from './list-connected-apps.ts';
import { listMembers } from './list-members.ts';
import { removeMember } from './remove-member.ts';
import { restoreAccount } from './restore-account.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { revokeConnectedApp } from './revoke-connected-app.ts';
import { rotateApiKey } from './rotate-api-key.ts';
import { setApiKeyIpWhitelist } from './set-api-key-ip-whitelist.ts';
import { updateApiKey } from './update-api-key.ts';
import { updateMember } from './update-member.ts';
import { updateProfile } from './update-profile.ts';

/** People, their account, its keys, and the apps they connected. */
export const accountTools: readonly Tool[] = [
  getProfile,
  updateProfile,
  exportAccount,
  deleteAccount,
  restoreAccount,
  listAccounts,
  listMembers,
  inviteMember,
  updateMember,
  removeMember,
  createApiKey,
  listApiKeys,
  updateApiKey,
  rotateApiKey,
  setApiKeyIpWhitelist,
  revokeApiKey,
  listConnectedApps,
  revokeConnectedApp,
];
