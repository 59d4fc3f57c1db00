import { LaurelError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { checkMemberId, checkProfile, type Profile } from '../../core/member.ts';
import type { ProfileStore } from '../../core/ports.ts';
import { builder } from '../builder.ts';
import type { Services } from '../context.ts';

/** A member is no more than an id until somebody asks for the profile. */
interface MemberSource {
  readonly memberId: string;
}

export const Member = builder.objectRef<MemberSource>('Member');

builder.node(Member, {
  description: 'Whoever is ranked. A member without a profile has an id and nothing else.',
  id: { resolve: (member) => member.memberId },
  loadWithoutCache: (memberId) => ({ memberId: checkMemberId(memberId) }),
  fields: (t) => ({
    memberId: t.exposeString('memberId', { description: 'The stable id that scores are sent with.' }),
    displayName: t.string({
      nullable: true,
      description: 'The name shown to people.',
      resolve: async ({ memberId }, _, { scope }) => (await scope.profile(memberId))?.displayName,
    }),
    avatarUrl: t.string({
      nullable: true,
      description: 'Address of a picture.',
      resolve: async ({ memberId }, _, { scope }) => (await scope.profile(memberId))?.avatarUrl,
    }),
    attributes: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Whatever else the profile holds.',
      resolve: async ({ memberId }, _, { scope }) => (await scope.profile(memberId))?.attributes,
    }),
  }),
});

builder.queryField('member', (t) =>
  t.field({
    type: Member,
    nullable: true,
    description: 'A member by id. Every valid id names one, ranked or not.',
    args: { memberId: t.arg.string({ required: true, description: 'The id that scores are sent with.' }) },
    resolve: (_, { memberId }) => ({ memberId: checkMemberId(memberId) }),
  }),
);

const MemberInput = builder.inputType('MemberInput', {
  description: "A member's whole profile: what is left out is removed.",
  fields: (t) => ({
    memberId: t.string({ required: true, description: 'The id that scores are sent with.' }),
    displayName: t.string({ description: 'The name shown to people.' }),
    avatarUrl: t.string({ description: 'Address of a picture: http, https or data:image.' }),
    attributes: t.field({
      type: 'JSONObject',
      description: `Whatever else the profile holds, up to ${limits.attributesBytes} bytes as JSON.`,
    }),
  }),
});

const UpsertMembersInput = builder.inputType('UpsertMembersInput', {
  description: 'Profiles to write.',
  fields: (t) => ({
    members: t.field({ type: [MemberInput], required: true, description: `The profiles, up to ${limits.batchSize}.` }),
  }),
});

const UpsertMembersPayload = builder.objectRef<{ members: MemberSource[] }>('UpsertMembersPayload').implement({
  description: 'The members whose profiles were written.',
  fields: (t) => ({
    members: t.field({ type: [Member], description: 'In the order of the input.', resolve: ({ members }) => members }),
  }),
});

builder.mutationField('upsertMembers', (t) =>
  t.field({
    type: UpsertMembersPayload,
    description: "Writes members' profiles, all or none. Refused where profiles come from PROFILE_URL.",
    args: { input: t.arg({ type: UpsertMembersInput, required: true, description: 'What to write.' }) },
    resolve: async (_, { input: { members } }, { services }) => {
      const store = writableProfiles(services);
      if (members.length > limits.batchSize) {
        throw new LaurelError('BATCH_TOO_LARGE', `At most ${limits.batchSize} members fit into one call.`);
      }
      const profiles = new Map<string, Profile>();
      for (const { memberId, displayName = null, avatarUrl = null, attributes = null } of members) {
        profiles.set(checkMemberId(memberId), checkProfile({ displayName, avatarUrl, attributes }));
      }
      await store.save(profiles);
      return { members: members.map(({ memberId }) => ({ memberId })) };
    },
  }),
);

const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  description: 'The member to remove.',
  fields: (t) => ({ memberId: t.string({ required: true, description: 'The id that scores are sent with.' }) }),
});

const RemoveMemberPayload = builder.objectRef<{ removedEntries: number }>('RemoveMemberPayload').implement({
  description: 'What was removed.',
  fields: (t) => ({
    removedEntries: t.exposeInt('removedEntries', { description: 'Entries, over all boards and periods.' }),
  }),
});

builder.mutationField('removeMember', (t) =>
  t.field({
    type: RemoveMemberPayload,
    description:
      'Removes a member: profile, and entries in every period of every board that Redis holds, closed ones too.',
    args: { input: t.arg({ type: RemoveMemberInput, required: true, description: 'The member to remove.' }) },
    resolve: async (_, { input: { memberId } }, { services }) => {
      const live = await services.scoring.removeMember(memberId);
      const removedEntries = live + (await services.past.removeMember(memberId));
      await services.profileStore?.remove(memberId);
      return { removedEntries };
    },
  }),
);

function writableProfiles({ profileStore }: Services): ProfileStore {
  if (profileStore) return profileStore;
  throw new LaurelError('BAD_INPUT', 'Profiles come from PROFILE_URL here; write them there.');
}
