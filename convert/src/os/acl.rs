//! Access rights of a file: permission bits and POSIX access control lists, and what is left of them if
//! owner, group or list can't be kept.
//!
//! Nobody ever gets a right that they did not have. If a class is lost (the owner, the group, or one that the
//! list names), its members fall into another class; that class loses the rights that the lost class did not
//! have.

/// Permission bits, and the entries of an access control list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// The lower 12 bits. If there is a list, the three bits of the group are its mask.
    pub(super) mode: u32,
    /// Sorted as the system sorts them; empty if there is no list.
    entries: Vec<AclEntry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AclEntry {
    tag: u16,
    rights: u16,
    id: u32,
}

// The form of a list in `system.posix_acl_access` on Linux: a version, and entries of eight bytes.
const VERSION: [u8; 4] = 2_u32.to_le_bytes();
const OWNER: u16 = 0x01;
const NAMED_USER: u16 = 0x02;
const GROUP: u16 = 0x04;
const NAMED_GROUP: u16 = 0x08;
const MASK: u16 = 0x10;
const OTHERS: u16 = 0x20;

impl Access {
    /// `list` is the value of the attribute, if the file has it. Returns `None` if it is of an unknown kind.
    pub(super) fn new(mode: u32, list: Option<&[u8]>) -> Option<Self> {
        let mut entries = Vec::new();
        if let Some(list) = list {
            let (pieces, []) = list.strip_prefix(&VERSION)?.as_chunks::<8>() else {
                return None;
            };
            for &[t0, t1, r0, r1, i0, i1, i2, i3] in pieces {
                entries.push(AclEntry {
                    tag: u16::from_le_bytes([t0, t1]),
                    rights: u16::from_le_bytes([r0, r1]) & 7,
                    id: u32::from_le_bytes([i0, i1, i2, i3]),
                });
            }
        }
        Some(Self {
            mode: mode & 0o7777,
            entries,
        })
    }

    /// The value of the attribute; `None` if there is no list.
    pub(super) fn list(&self) -> Option<Vec<u8>> {
        if self.entries.is_empty() {
            return None;
        }
        let mut list = VERSION.to_vec();
        for entry in &self.entries {
            list.extend(entry.tag.to_le_bytes());
            list.extend(entry.rights.to_le_bytes());
            list.extend(entry.id.to_le_bytes());
        }
        Some(list)
    }

    /// What is left if the owner or the group is a different one. The set-id bits go as well, because a
    /// program must not run as another user.
    pub(super) fn of_others(mut self, keeps_owner: bool, keeps_group: bool) -> Self {
        if keeps_owner && keeps_group {
            return self;
        }
        self.mode &= 0o1777;
        if !keeps_group {
            let common = self.rights(GROUP) & self.rights(OTHERS);
            self.limit(&[GROUP, OTHERS], common);
        }
        if !keeps_owner {
            let owner = self.rights(OWNER);
            self.limit(&[NAMED_USER, GROUP, NAMED_GROUP, OTHERS], owner);
        }
        self
    }

    /// Whether both give everybody the same rights, apart from the set-id bits.
    pub(super) fn is_same_but_set_id(&self, other: &Self) -> bool {
        self.mode & 0o1777 == other.mode & 0o1777 && self.entries == other.entries
    }

    /// What is left without the list and without set-id bits.
    pub(super) fn bits_only(mut self) -> Self {
        let named = |tag: u16| {
            let entries = self.entries.iter().filter(move |entry| entry.tag == tag);
            entries.fold(7, |common, entry| common & entry.rights & self.mask())
        };
        let (users, groups) = (named(NAMED_USER), named(NAMED_GROUP));
        let owner = self.rights(OWNER);
        // Somebody named in the list may be in the group, or is one of the others now.
        let group = self.rights(GROUP) & users;
        let others = self.rights(OTHERS) & users & groups;
        self.entries.clear();
        self.mode = u32::from(owner) << 6 | u32::from(group) << 3 | u32::from(others);
        self
    }

    /// What the mask of the list allows of these rights.
    fn mask(&self) -> u16 {
        let mask = self.entries.iter().find(|entry| entry.tag == MASK);
        mask.map_or(7, |mask| mask.rights)
    }

    /// The rights of a class.
    fn rights(&self, tag: u16) -> u16 {
        let entry = self.entries.iter().find(|entry| entry.tag == tag);
        match entry {
            Some(entry) if tag == GROUP => entry.rights & self.mask(),
            Some(entry) => entry.rights,
            None => (self.mode >> shift(tag) & 7) as u16,
        }
    }

    /// Removes all rights but these from some classes.
    fn limit(&mut self, tags: &[u16], rights: u16) {
        for entry in &mut self.entries {
            if tags.contains(&entry.tag) {
                entry.rights &= rights;
            }
        }
        for &tag in tags {
            // If there is a list, the bits of the group are its mask.
            if tag == OTHERS || (tag == GROUP && self.entries.is_empty()) {
                self.mode &= !(u32::from(!rights & 7) << shift(tag));
            }
        }
    }
}

/// The position of a class in the permission bits.
fn shift(tag: u16) -> u32 {
    match tag {
        OWNER => 6,
        GROUP => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, GROUP, MASK, NAMED_GROUP, NAMED_USER, OTHERS, OWNER, VERSION};

    const NOBODY: u32 = u32::MAX;

    fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
        let mut list = VERSION.to_vec();
        for (tag, rights, id) in entries {
            list.extend(tag.to_le_bytes());
            list.extend(rights.to_le_bytes());
            list.extend(id.to_le_bytes());
        }
        list
    }

    #[test]
    fn no_class_gains_a_right_by_the_loss_of_another() {
        for (mode, keeps_owner, keeps_group, wanted) in [
            (0o640, true, true, 0o640),
            (0o6755, true, true, 0o6755),
            (0o640, true, false, 0o600),
            (0o664, true, false, 0o644),
            (0o644, true, false, 0o644),
            (0o6755, true, false, 0o755),
            (0o604, true, false, 0o600),
            (0o664, false, true, 0o664),
            (0o066, false, true, 0o000),
            (0o466, false, true, 0o444),
            (0o4640, false, false, 0o600),
        ] {
            let access = Access::new(mode, None).expect("it is known");
            let left = access.of_others(keeps_owner, keeps_group);
            assert_eq!(
                (left.mode, left.list()),
                (wanted, None),
                "{mode:o} {keeps_owner} {keeps_group}"
            );
        }
    }

    #[test]
    fn a_list_that_is_kept_loses_what_the_lost_group_had_alone() {
        let before = list(&[
            (OWNER, 6, NOBODY),
            (NAMED_USER, 4, 1000),
            (GROUP, 4, NOBODY),
            (MASK, 6, NOBODY),
            (OTHERS, 0, NOBODY),
        ]);
        let after = list(&[
            (OWNER, 6, NOBODY),
            (NAMED_USER, 4, 1000),
            (GROUP, 0, NOBODY),
            (MASK, 6, NOBODY),
            (OTHERS, 0, NOBODY),
        ]);
        let access = Access::new(0o660, Some(&before)).expect("it is known");
        assert_eq!(access.list().as_ref(), Some(&before));
        let left = access.of_others(true, false);
        assert_eq!((left.mode, left.list()), (0o660, Some(after)));
    }

    #[test]
    fn without_the_list_the_mask_does_not_become_the_rights_of_the_group() {
        for (entries, mode, wanted) in [
            // The group itself has no rights; the bits show the mask.
            (
                &[
                    (OWNER, 6, NOBODY),
                    (NAMED_USER, 6, 1000),
                    (GROUP, 0, NOBODY),
                    (MASK, 6, NOBODY),
                    (OTHERS, 0, NOBODY),
                ][..],
                0o660,
                0o600,
            ),
            // Somebody who is shut out by name would be in the class of others.
            (
                &[
                    (OWNER, 6, NOBODY),
                    (NAMED_USER, 0, 1000),
                    (GROUP, 4, NOBODY),
                    (MASK, 4, NOBODY),
                    (OTHERS, 4, NOBODY),
                ],
                0o644,
                0o600,
            ),
            (
                &[
                    (OWNER, 6, NOBODY),
                    (GROUP, 6, NOBODY),
                    (NAMED_GROUP, 4, 50),
                    (MASK, 6, NOBODY),
                    (OTHERS, 6, NOBODY),
                ],
                0o666,
                0o664,
            ),
        ] {
            let access = Access::new(mode, Some(&list(entries))).expect("it is known");
            let left = access.bits_only();
            assert_eq!((left.mode, left.list()), (wanted, None), "{entries:?}");
        }
    }

    #[test]
    fn an_unknown_kind_of_list_is_told() {
        assert_eq!(Access::new(0o640, Some(b"\x03\0\0\0")), None);
        assert_eq!(Access::new(0o640, Some(b"\x02\0\0\0\x01\0")), None);
        assert_eq!(Access::new(0o640, Some(b"")), None);
    }
}
