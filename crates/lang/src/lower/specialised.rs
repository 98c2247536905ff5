//! Templates' specialisations: functions and structures that stand for certain arguments alone.

use super::calls::Given;
use super::{Binding, Lower};
use crate::syntax::{Function, Name, StructItem, TemplateArgument};
use std::rc::Rc;

/// What it costs to look whether a specialisation is the one.
const STEPS_OF_CANDIDATE: usize = 4;

impl Lower<'_> {
    /// The function that stands for a template's, given these arguments.
    pub(super) fn specialised_for(
        &mut self,
        function: &Function,
        templates: &[TemplateArgument],
        given: &[Given],
    ) -> Option<Rc<Function>> {
        let list = self.specialised.get(&function.name)?.clone();
        let scope = self.template_scope(function, templates, given);
        let parameters = function.templates.iter();
        let wanted: Vec<String> = parameters
            .map(|one| {
                scope
                    .get(&one.name)
                    .map_or_else(String::new, |of| self.shown(of))
            })
            .collect();
        list.into_iter().find(|one| self.stands_for(one, &wanted))
    }

    /// The function of this name that stands for these arguments, of a template that is only declared.
    pub(super) fn only_specialised(
        &mut self,
        name: &Name,
        templates: &[TemplateArgument],
    ) -> Option<Rc<Function>> {
        let list = self.specialised.get(name)?.clone();
        let wanted = self.shown_arguments(templates);
        list.into_iter()
            .find(|one| wanted.is_empty() || self.stands_for(one, &wanted))
    }

    fn stands_for(&mut self, one: &Function, wanted: &[String]) -> bool {
        let arguments = one.specialised.clone().unwrap_or_default();
        let own = self.shown_arguments(&arguments);
        wanted.starts_with(&own)
    }

    /// The structure that stands for a template's with these arguments as they are shown.
    pub(super) fn specialised_struct(
        &mut self,
        name: &Name,
        wanted: &[String],
    ) -> Option<Rc<StructItem>> {
        let list = self.specialised_structs.get(name)?.clone();
        list.into_iter().find(|one| {
            let arguments = one.specialised.clone().unwrap_or_default();
            self.shown_arguments(&arguments) == wanted
        })
    }

    /// Arguments of a template, each as it is shown.
    pub(super) fn shown_arguments(&mut self, arguments: &[TemplateArgument]) -> Vec<String> {
        if !self.spend(STEPS_OF_CANDIDATE) {
            return Vec::new();
        }
        arguments
            .iter()
            .map(|one| match self.template_binding(one) {
                Some(binding) => self.shown(&binding),
                None => String::new(),
            })
            .collect()
    }

    /// What a template's parameter stands for, as it is shown.
    pub(super) fn shown(&self, binding: &Binding) -> String {
        match binding {
            Binding::Type(of) => of.shown(),
            Binding::Value(value) => {
                let known = value.regs.first().and_then(|reg| self.known(*reg));
                known.map_or_else(String::new, |known| known.to_string())
            }
            Binding::Place(_) => String::new(),
        }
    }
}
